#pragma once

#include "core/analysis/difference/difference.h"
#include "ui/view/chart/chart.h"

#include <QString>

#include <memory>

namespace highwater::ui {

/// Outstanding bytes on both sides over the time since their intervals began: before as a dashed line, after as a thick
/// one, red between them where it is more and blue where it is less. The points are the slices of the timeline. GUI
/// thread only.
class DifferenceChart : public Chart {
    Q_OBJECT
  public:
    explicit DifferenceChart(QWidget* parent = nullptr);

    /// Null: there is none (yet).
    void setTimeline(std::shared_ptr<const analysis::DifferenceTimeline> timeline);
    [[nodiscard]] const std::shared_ptr<const analysis::DifferenceTimeline>& timeline() const { return timeline_; }
    /// What the sides are called, and what of them is drawn.
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
