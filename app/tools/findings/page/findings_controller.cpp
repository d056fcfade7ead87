#include "app/tools/findings/page/findings_controller.h"

#include "app/pages/page_filter.h"
#include "app/settings/application_settings.h"
#include "app/tools/findings/page/findings_strip.h"
#include "core/analysis/leaks/freed_on_exit.h"
#include "ui/state/analysis_state.h"
#include "ui/state/graph_state.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"

#include <QMainWindow>

#include <algorithm>
#include <limits>
#include <utility>

namespace highwater::app {
namespace {

constexpr int kGrowthMs = 3000;

} // namespace

FindingsController::FindingsController(ui::AnalysisTabs& tabs, ApplicationSettings& settings, QMainWindow& window,
                                       Finder::Find find)
    : QObject(&window),
      tabs_(tabs),
      settings_(settings),
      toggle_(new QAction(tr("F&indings"), this)),
      next_(new QAction(tr("Ne&xt Finding"), this)),
      strip_(new ui::FindingsStrip),
      options_(tabs.options()),
      finder_(*this, std::move(find), [this](const Asked& asked, Result<analysis::Findings> found) {
          growth_.setInterval(static_cast<int>(std::clamp<qint64>(sinceAsked_.elapsed() * ui::kRestPerWork, kGrowthMs,
                                                                  std::numeric_limits<int>::max())));
          // A trace that cannot be explained has nothing to show. Explain Memory Growth shows the reason.
          interval_ = asked.query.interval;
          show(found.hasValue() ? std::make_shared<const analysis::Findings>(std::move(found).value()) : nullptr,
               asked.trace.get());
      }) {
    buildActions();
    soon_.setSingleShot(true);
    growth_.setSingleShot(true);
    growth_.setInterval(kGrowthMs);
    connect(&soon_, &QTimer::timeout, this, &FindingsController::ask);
    connect(&growth_, &QTimer::timeout, this, &FindingsController::ask);
    connect(&tabs, &ui::AnalysisTabs::currentPanelChanged, this, &FindingsController::followTab);
    connect(&tabs, &ui::AnalysisTabs::currentStateChanged, this, &FindingsController::followOptions);
    connect(&tabs.shown(), &ui::TraceOnScreen::changed, this, &FindingsController::followTrace);
    connect(strip_, &ui::FindingsStrip::surgeWanted, this, &FindingsController::openSurge);
    connect(strip_, &ui::FindingsStrip::leakWanted, this, &FindingsController::openLeak);
    connect(strip_, &ui::FindingsStrip::heldWanted, this, &FindingsController::openHeld);
    connect(strip_, &ui::FindingsStrip::closeWanted, toggle_, &QAction::trigger);
    strip_->hide();
    followTab();
}

FindingsController::~FindingsController() = default;

/// Many programs free their containers, and their leaks with them, as they exit.
Result<analysis::Findings> FindingsController::findBeforeExit(const Asked& asked, const std::stop_token& stop) {
    auto ofBoth = asked.query;
    ofBoth.otherFilter.emplace();
    const auto freed = analysis::freedOnExit(asked.trace, asked.labels, ofBoth, stop);
    return analysis::findFindings(*asked.trace, *asked.labels, asked.query, stop, freed);
}

void FindingsController::buildActions() {
    toggle_->setObjectName(QStringLiteral("toggleFindings"));
    toggle_->setToolTip(tr("Show the biggest surge, the fastest leaks and memory held by few blocks above the graphs"));
    toggle_->setCheckable(true);
    toggle_->setChecked(settings_.showsFindings());
    connect(toggle_, &QAction::toggled, this, &FindingsController::setShown);
    next_->setObjectName(QStringLiteral("nextFinding"));
    next_->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E));
    next_->setToolTip(tr("Show the first finding in its graph, then the one after it"));
    next_->setEnabled(false);
    connect(next_, &QAction::triggered, this, &FindingsController::openNext);
}

void FindingsController::openNext() {
    const auto cards = strip_ ? strip_->cards() : std::vector<ui::FindingCard*>();
    if (cards.empty()) return;
    nextCard_ %= cards.size();
    cards[nextCard_++]->click();
}

bool FindingsController::isUpToDate() const {
    return !toggle_->isChecked() || !tabs_.shown().trace() || (!soon_.isActive() && !finder_.isBusy());
}

void FindingsController::followTrace(ui::TraceOnScreen::Changes changes) {
    using Screen = ui::TraceOnScreen;
    if (changes & (Screen::Changes(Screen::NewTrace) | Screen::Cleared)) {
        finder_.cancel();
        growth_.stop();
        nextCard_ = 0;
        show(nullptr);
        // The first findings of a recording come after seconds, in which its symbols can be loaded.
        if (toggle_->isChecked() && tabs_.shown().isRecording()) emit namesWanted();
        askSoon();
    } else if (changes.testFlag(Screen::Names) && strip_ && strip_->isNaming()) {
        askSoon();
    } else if (changes & (Screen::MoreOfIt | Screen::Names)) {
        if (!growth_.isActive() && toggle_->isChecked()) growth_.start();
    } else if (changes & (Screen::Loading | Screen::Naming)) {
        isWhole_ = changes.testFlag(Screen::Loading) && !tabs_.shown().isLoading();
        askSoon();
    }
}

/// Other changes of the state do not concern the whole trace.
void FindingsController::followOptions() {
    const auto& now = tabs_.current().state().options();
    if (std::exchange(options_, now) != now) askSoon();
}

/// A closed tab exists for some time, and destroys its widgets.
void FindingsController::followTab() {
    if (strip_ && strip_->parentWidget() != &tabs_.current()) tabs_.current().setTop(*strip_);
}

void FindingsController::setShown(bool isShown) {
    settings_.setShowsFindings(isShown);
    if (isShown) return askSoon();
    soon_.stop();
    growth_.stop();
    finder_.cancel();
    show(nullptr);
}

/// Findings of a growing trace are older than the list of leaks, by many seconds if it takes long to find them.
void FindingsController::compareWith(const analysis::LeakQuery& query, const analysis::LeakReport& report) {
    if (!strip_ || strip_->isEmpty()) return;
    const bool isOfAll = query.filter.isEmpty() && (!query.otherFilter || query.otherFilter->isEmpty());
    const bool isNewer = query.interval.start <= interval_.start && query.interval.end >= interval_.end;
    const auto& leaks = strip_->findings()->leaks;
    if (isOfAll && isNewer && std::ranges::any_of(leaks, [&](const analysis::LeakFinding& leak) {
            return !leak.interval && analysis::contradicts(report, leak);
        }))
        askSoon();
}

void FindingsController::askSoon() {
    if (toggle_->isChecked() && tabs_.shown().trace()) soon_.start(0);
}

void FindingsController::ask() {
    const auto& shown = tabs_.shown();
    if (!shown.trace()) return;
    growth_.stop();
    const auto& state = tabs_.current().state();
    Asked asked{shown.trace(), shown.labels(), {}};
    asked.query.interval = shown.trace()->wholeRange();
    asked.query.allocatorFrames = options_.allocatorFrames;
    asked.query.suppressions = options_.suppressions;
    asked.query.marks = state.marks();
    sinceAsked_.start();
    wereNamesComing_ = shown.areNamesComing(*shown.trace());
    // A running question is answered first: while a trace grows, interrupted ones would never be. When it is whole, the
    // answer about a part would only delay the right one.
    finder_.ask(std::move(asked), std::exchange(isWhole_, false) ? ui::Urgency::Now : ui::Urgency::WhenIdle);
}

void FindingsController::show(std::shared_ptr<const analysis::Findings> findings, const store::PublishedTrace* trace) {
    if (!strip_) return;
    if (strip_->isEmpty() && findings && !findings->isEmpty()) emit namesWanted();
    strip_->setFindings(std::move(findings),
                        trace != nullptr && (wereNamesComing_ || tabs_.shown().areNamesComing(*trace)));
    strip_->setVisible(!strip_->isEmpty());
    next_->setEnabled(!strip_->isEmpty());
    if (isUpToDate()) emit upToDate();
}

void FindingsController::openSurge(const analysis::SurgeFinding& finding) {
    openRow(finding.table, finding.surge.part, finding.path);
}

void FindingsController::openLeak(const analysis::LeakFinding& finding) {
    const auto interval = finding.interval.value_or(tabs_.current().state().wholeRange());
    openRow(finding.suspect.table, interval, analysis::pathToOwner(finding.suspect));
}

void FindingsController::openHeld(const analysis::ProcessHolders& held) {
    showPreset(tabs_, panelOf(tabs_, analysis::Table::Heap), QStringLiteral("Held Pages by Stack"));
    openRow(analysis::Table::Heap, tabs_.current().state().wholeRange(), held.holders.front().path);
}

/// Findings are about all rows. The history takes back zoom and filter.
void FindingsController::openRow(analysis::Table table, TimeRange interval, const analysis::KeyPath& path) {
    auto& state = tabs_.current().state();
    auto& panel = panelOf(tabs_, table);
    if (!panel.graph().filterSteps().empty()) panel.graph().clearFilter();
    if (state.instant()) state.clearInstant();
    state.zoomTo(interval);
    panel.graph().paintRows({path});
    openRowWithin(panel, path);
}

} // namespace highwater::app

#include "moc_findings_controller.cpp"
