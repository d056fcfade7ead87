#include "app/window/leak_controller.h"

#include "app/pages/page_dock.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/state/analysis_state.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/leaks/leaks_view.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace highwater::app {
namespace {

constexpr std::size_t kMostSuspects = 100;

/// The way to the row of the owner: it may lie behind allocator frames, which the path leaves out.
analysis::KeyPath pathOfOwner(const analysis::LeakSuspect& suspect) {
    const auto leftOut = suspect.stack.size() - std::min(suspect.stack.size(), suspect.path.size() - 1);
    auto path = suspect.path;
    path.resize(std::min(path.size(), 2 + suspect.ownerFrame - std::min(suspect.ownerFrame, leftOut)));
    return path;
}

} // namespace

LeakController::LeakController(ui::AnalysisTabs& tabs, QMainWindow& window, ui::LeakFunction find)
    : QObject(&window),
      tabs_(tabs),
      finder_(nullptr, std::move(find)),
      dock_(new QDockWidget(tr("Leaks"), &window)),
      view_(new ui::LeaksView),
      refresh_(*dock_, tabs) {
    buildDock(window);
    connect(&refresh_, &PageRefresh::askWanted, this, &LeakController::ask);
    connect(&refresh_, &PageRefresh::hidden, this, [this] { finder_.cancel(); });
    connect(&refresh_, &PageRefresh::namesWanted, this, &LeakController::namesWanted);
    connect(&refresh_, &PageRefresh::traceReplaced, this, &LeakController::forgetTrace);
    connectTabs();
    connect(&finder_, &ui::LeakFinder::busyChanged, view_, &ui::LeaksView::setBusy);
    connect(&finder_, &ui::LeakFinder::answered, view_, &ui::LeaksView::setAnswer);
    connect(&finder_, &ui::LeakFinder::answered, this, &LeakController::upToDate);
    connect(&finder_, &ui::LeakFinder::failed, view_, &ui::LeaksView::clear);
    connect(view_, &ui::LeaksView::painted, this, &LeakController::paint);
    connect(view_, &ui::LeaksView::filterWanted, this, &LeakController::filterTo);
    connect(view_, &ui::LeaksView::filterUnwanted, this, &LeakController::takeFilterBack);
    connect(view_, &ui::LeaksView::rowsWanted, this, &LeakController::openRows);
}

void LeakController::buildDock(QMainWindow& window) {
    addPageDock(*dock_, *view_, window,
                {.name = "leaksDock",
                 .action = "toggleLeaks",
                 .text = tr("&Leaks"),
                 .keys = QKeySequence(Qt::CTRL | Qt::Key_L),
                 .focus = &view_->table(),
                 .behind = "modulesDock"});
}

QAction* LeakController::toggleAction() const { return dock_->toggleViewAction(); }

void LeakController::show() { openPageDock(*dock_); }

bool LeakController::isUpToDate() const { return !dock_->isVisible() || (!refresh_.isPending() && !finder_.isBusy()); }

void LeakController::connectTabs() {
    connect(&tabs_, &ui::AnalysisTabs::currentStateChanged, this, &LeakController::followOptions);
    connect(&tabs_, &ui::AnalysisTabs::currentPanelChanged, this, &LeakController::followPanel);
    followPanel();
}

/// Others of the state's changes are told apart already.
void LeakController::followOptions() {
    const auto& now = tabs_.current().state().options().suppressions;
    if (std::exchange(suppressions_, now) != now) refresh_.askSoon();
}

void LeakController::followPanel() {
    auto* panel = tabs_.currentPanel();
    graph_ = panel == nullptr ? nullptr : &panel->graph();
    refresh_.askSoon();
}

void LeakController::forgetTrace(bool isGone) {
    finder_.cancel();
    filter_.forget();
    view_->setFiltered({});
    view_->clear(isGone ? tr("Open or record a trace to see which stacks keep memory.") : QString());
}

analysis::Table LeakController::tableToAsk() const {
    return graph_ && graph_->table() == analysis::Table::VirtualAlloc ? analysis::Table::VirtualAlloc
                                                                      : analysis::Table::Heap;
}

ui::GraphState* LeakController::graphToAsk() const {
    const auto table = tableToAsk();
    if (graph_ && graph_->table() == table) return graph_;
    const auto graphs = tabs_.current().state().graphs();
    const auto found = std::ranges::find_if(graphs, [&](const auto* graph) { return graph->table() == table; });
    return found == graphs.end() ? nullptr : *found;
}

void LeakController::ask(ui::Urgency urgency) {
    const auto& shown = tabs_.shown();
    if (!shown.trace()) return;
    auto& state = tabs_.current().state();
    ui::LeakRequest request{shown.trace(), shown.labels(), {}};
    request.query.table = tableToAsk();
    request.query.interval = state.visibleRange();
    request.query.allocatorFrames = state.options().allocatorFrames;
    request.query.suppressions = state.options().suppressions;
    request.query.most = kMostSuspects;
    request.query.marks = state.marks();
    auto* graph = graphToAsk();
    refresh_.followFilterOf(graph);
    if (graph != nullptr) {
        if (auto filter = filter_.filterWithout(*graph); filter.hasValue())
            request.query.filter = std::move(filter).value();
    }
    view_->setFiltered(filter_.pathIn(graph));
    finder_.ask(std::move(request), urgency);
}

ui::GraphPanel* LeakController::panelOfAnswer() {
    const auto& answer = view_->model().answer();
    return answer ? &panelOf(tabs_, answer->table) : nullptr;
}

void LeakController::paint(const analysis::LeakSuspect& suspect) {
    if (auto* panel = panelOfAnswer()) panel->graph().paintRows({suspect.path});
}

void LeakController::filterTo(const analysis::LeakSuspect& suspect) {
    auto* panel = panelOfAnswer();
    if (panel == nullptr) return;
    filter_.filterTo(*panel, suspect.path, tr("Leak: %1").arg(ui::lineText(suspect.owner)));
    view_->setFiltered(suspect.path);
}

void LeakController::takeFilterBack() {
    filter_.takeBack(graphToAsk());
    view_->setFiltered({});
}

void LeakController::openRows(const analysis::LeakSuspect& suspect) {
    auto* panel = panelOfAnswer();
    if (panel == nullptr) return;
    filterTo(suspect);
    openRowOf(*panel, pathOfOwner(suspect));
}

} // namespace highwater::app

#include "moc_leak_controller.cpp"
