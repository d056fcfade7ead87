#pragma once

#include "core/analysis/difference/difference.h"
#include "ui/view/chart/chart.h"

#include <QString>

#include <memory>

namespace highwater::ui {

/// Outstanding bytes of both sides since the start of their intervals: before as a dashed line, after as a thick line;
/// the area between is red for growth and blue for shrinkage. The points are the slices of the timeline. GUI thread
/// only.
class DifferenceChart : public Chart {
    Q_OBJECT
  public:
    explicit DifferenceChart(QWidget* parent = nullptr);

    /// Null: none yet.
    void setTimeline(std::shared_ptr<const analysis::DifferenceTimeline> timeline);
    [[nodiscard]] const std::shared_ptr<const analysis::DifferenceTimeline>& timeline() const { return timeline_; }
    /// Names of the sides, and the drawn part.
    void setNames(const QString& before, const QString& after);
    void setSubject(const QString& subject);

  private:
    void showTimeline();

    std::shared_ptr<const analysis::DifferenceTimeline> timeline_;
    QString before_;
    QString after_;
    QString subject_;
};

} // namespace highwater::ui
