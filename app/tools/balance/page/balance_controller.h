#pragma once

#include "app/pages/asking_page.h"
#include "app/tools/balance/page/balance_view.h"

#include <optional>
#include <stop_token>

namespace highwater::app {

using BalanceAskingPage = AskingPage<ui::BalancePageQuery, ui::BalancePageFound, ui::BalanceView>;

/// The Resident Memory page: queries the samples of the interval, whatever the current graph and its filter. GUI thread
/// only.
class BalanceController : public BalanceAskingPage {
    Q_OBJECT
  public:
    BalanceController(ui::AnalysisTabs& tabs, QMainWindow& window);
    ~BalanceController() override { trial_.request_stop(); }

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
    std::stop_source trial_; ///< stops a trial of malloc_trim, which runs on a worker
};

} // namespace highwater::app
