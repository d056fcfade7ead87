#pragma once

#include "core/fleet/contract/fleet_question.h"
#include "ui/view/chart/chart.h"

#include <QString>

#include <memory>
#include <string>

namespace highwater::ui {

/// The values of one stack by build, oldest first: the median over machines as a line, with a band up to the 95th
/// percentile. Marks the first bad build and the build that fixes it. The points are the builds. GUI thread only.
class FleetChart : public Chart {
    Q_OBJECT
  public:
    explicit FleetChart(QWidget* parent = nullptr);

    /// Null: none yet; `why` is shown instead.
    void setHistory(std::shared_ptr<const fleet::HistoryAnswer> history, fleet::Measure measure,
                    const QString& why = {});
    [[nodiscard]] const std::shared_ptr<const fleet::HistoryAnswer>& history() const { return history_; }
    /// The history belongs to the previous stack and is dimmed.
    void setOld(bool isOld);
    /// The compared builds, whose names are emphasized.
    void setSides(const std::string& from, const std::string& to);

  signals:
    void buildChosen(const std::string& build);

  private:
    void showHistory();

    std::shared_ptr<const fleet::HistoryAnswer> history_;
    fleet::Measure measure_ = fleet::Measure::InuseSpace;
    QString why_;
    std::string from_, to_;
    bool isOld_ = false;
};

} // namespace highwater::ui
