#pragma once

#include "app/pages/asking_page.h"
#include "app/tools/balance/page/balance_view.h"
#include "core/event/trial/trim_trial.h"
#include "ui/state/finders/finder_of.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace highwater::app {

using BalanceAskingPage = AskingPage<ui::BalancePageQuery, ui::BalancePageFound, ui::BalanceView>;

/// The Resident Memory page: queries the samples of the interval, whatever the current graph and its filter. GUI thread
/// only.
class BalanceController : public BalanceAskingPage {
    Q_OBJECT
  public:
    BalanceController(ui::AnalysisTabs& tabs, QMainWindow& window);

  private:
    void showHolders(ProcessIndex process);
    void tryTrim();
    [[nodiscard]] bool showsStacks() const override { return false; }
    bool fill(ui::BalancePageQuery& query) override;
    void showAnswer(const Asked& asked, ui::BalancePageFound found) override;
    void forgetTrace(bool isGone) override;

    std::optional<TraceTime> at_; ///< the user chose this sample
    /// The trace and interval of the courses of the last answer; they need not be computed again for another sample.
    std::shared_ptr<const store::PublishedTrace> knownTrace_;
    TimeRange knownInterval_;
    ui::BalanceCourses known_;
    ui::FinderOf<std::uint32_t, TrimTrial> trial_; ///< tries malloc_trim in the process with this pid
};

} // namespace highwater::app
