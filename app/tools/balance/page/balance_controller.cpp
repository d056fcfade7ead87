#include "app/tools/balance/page/balance_controller.h"

#include "app/pages/page_context.h"
#include "app/pages/page_filter.h"
#include "app/tools/tools.h"
#include "core/analysis/balance/trial_text.h"
#include "core/source/contract/trim_trial.h"
#include "ui/format/qt_text.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/table/grouped_table_view.h"

namespace highwater::app {
namespace {

using ui::BalancePageFound, ui::BalancePageQuery;

Result<BalancePageFound> findBalance(const store::PublishedTrace& trace, const BalancePageQuery& query,
                                     const std::stop_token& stop) {
    BalancePageFound found;
    const analysis::BalanceQuery wanted{query.at ? analysis::upTo(*query.at) : query.interval, {}, query.at};
    if (query.known) {
        found.balances = TRY(analysis::balanceAt(trace, wanted, stop));
        found.courses = query.known;
        return found;
    }
    auto both = TRY(analysis::balanceWithCourses(trace, wanted, query.interval, stop));
    found.balances = std::move(both.balances);
    found.courses = std::make_shared<const std::vector<analysis::BalanceCourse>>(std::move(both.courses));
    return found;
}

QString sentencesOf(const TrimTrial& trial) {
    QStringList lines;
    for (const auto& line : analysis::meaningOf(trial))
        lines << ui::toQString(line);
    return lines.join(QLatin1Char('\n'));
}

} // namespace

BalanceController::BalanceController(ui::AnalysisTabs& tabs, QMainWindow& window)
    : BalanceAskingPage(
          tabs, window, new ui::BalanceView, tr("Resident Memory"),
          {.name = "balanceDock",
           .action = "toggleBalance",
           .text = tr("Resident Memor&y"),
           .keys = QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)},
          [](const Asked& asked, const std::stop_token& stop) { return findBalance(*asked.trace, asked.query, stop); }),
      trial_(
          *this, [](std::uint32_t pid, const std::stop_token& stop) { return source::tryTrim(pid, stop); },
          [this](std::uint32_t /*pid*/, const Result<TrimTrial>& trial) {
              if (!trial.hasValue()) return view().endFailedTrial(ui::toQString(trial.error().message));
              view().endTrial(sentencesOf(trial.value()));
          }) {
    connect(&view(), &ui::BalanceView::instantWanted, this, [this](std::optional<TraceTime> at) {
        at_ = at;
        refresh().askSoon();
    });
    connect(&view(), &ui::BalanceView::holdersWanted, this, &BalanceController::showHolders);
    connect(&view(), &ui::BalanceView::trialWanted, this, &BalanceController::tryTrim);
    connect(&tabs.shown(), &ui::TraceOnScreen::changed, this, [this] {
        const auto& shown = this->tabs().shown();
        view().setRecording(shown.isRecording() && shown.trace() && shown.trace()->isOfAgent);
    });
    followPanel();
}

void BalanceController::showHolders(ProcessIndex process) {
    auto& state = tabs().current().state();
    const auto interval = state.visibleRange();
    // The columns are those of the newest sample in the interval.
    if (at_ && *at_ >= interval.start && *at_ < interval.end) state.zoomTo({interval.start, TraceTime{at_->ns + 1}});
    auto& panel = panelOf(tabs(), analysis::Table::Heap);
    showPreset(tabs(), panel, QStringLiteral("Held Pages by Stack"));
    panel.takeFocus();
    panel.table().reveal({{analysis::Column::Process, process.value}});
}

void BalanceController::tryTrim() {
    const auto* balance = view().selectedBalance();
    const auto& trace = tabs().shown().trace();
    if (balance == nullptr || !trace) return;
    view().beginTrial(balance->name);
    trial_.ask((*trace->processes)[balance->process].pid, ui::Urgency::Now);
}

bool BalanceController::fill(BalancePageQuery& query) {
    query.interval = tabs().current().state().visibleRange();
    const bool isInside = at_ && *at_ >= query.interval.start && *at_ < query.interval.end;
    if (isInside) query.at = at_;
    if (tabs().shown().trace() == knownTrace_ && query.interval == knownInterval_) query.known = known_;
    return true;
}

void BalanceController::showAnswer(const Asked& asked, BalancePageFound found) {
    knownTrace_ = asked.trace;
    knownInterval_ = asked.query.interval;
    known_ = found.courses;
    BalanceAskingPage::showAnswer(asked, std::move(found));
}

void BalanceController::forgetTrace(bool isGone) {
    at_.reset();
    knownTrace_.reset();
    known_.reset();
    BalanceAskingPage::forgetTrace(isGone);
}

Page* balancePage(const PageContext& context) { return new BalanceController(context.tabs, context.window); }

} // namespace highwater::app

#include "moc_balance_controller.cpp"
