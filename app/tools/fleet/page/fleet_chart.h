#pragma once

#include "core/fleet/contract/fleet_question.h"
#include "ui/view/chart/chart.h"

#include <QString>

#include <memory>
#include <string>

namespace highwater::ui {

/// The values of one stack by build, oldest first: the median of machines as a line, up to what 95 % of them do not
/// exceed as a band; the first bad build has a mark, and the one in which that is mended. The points are the builds.
/// GUI thread only.
class FleetChart : public Chart {
    Q_OBJECT
  public:
    explicit FleetChart(QWidget* parent = nullptr);

    /// Null: there is none (yet), for which `why` stands.
    void setHistory(std::shared_ptr<const fleet::HistoryAnswer> history, fleet::Measure measure,
                    const QString& why = {});
    [[nodiscard]] const std::shared_ptr<const fleet::HistoryAnswer>& history() const { return history_; }
    /// It is of the stack before, which is dimmed.
    void setOld(bool isOld);
    /// The sides that are compared: their names stand out.
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
