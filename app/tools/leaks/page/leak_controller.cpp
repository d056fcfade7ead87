#include "app/tools/leaks/page/leak_controller.h"

#include "app/pages/page_context.h"
#include "app/tools/tools.h"
#include "ui/format/plain_text.h"
#include "ui/view/analysis/graph_panel.h"

#include <algorithm>
#include <utility>

namespace highwater::app {
namespace {

constexpr std::size_t kMostSuspects = 100;

/// The path to the row of the owner. The owner may be behind allocator frames, which the path omits.
analysis::KeyPath pathOfOwner(const analysis::LeakSuspect& suspect) {
    const auto leftOut = suspect.stack.size() - std::min(suspect.stack.size(), suspect.path.size() - 1);
    auto path = suspect.path;
    path.resize(std::min(path.size(), 2 + suspect.ownerFrame - std::min(suspect.ownerFrame, leftOut)));
    return path;
}

} // namespace

LeakController::LeakController(ui::AnalysisTabs& tabs, QMainWindow& window, Finder::Find find)
    : LeakAskingPage(tabs, window, new ui::LeaksView, tr("Leaks"),
                     {.name = "leaksDock",
                      .action = "toggleLeaks",
                      .text = tr("&Leaks"),
                      .keys = QKeySequence(Qt::CTRL | Qt::Key_L),
                      .behind = "modulesDock"},
                     std::move(find)) {
    connect(&tabs, &ui::AnalysisTabs::currentStateChanged, this, &LeakController::followOptions);
    connect(&view(), &ui::LeaksView::painted, this, &LeakController::paint);
    connect(&view(), &ui::LeaksView::filterWanted, this, &LeakController::filterTo);
    connect(&view(), &ui::LeaksView::filterUnwanted, this, &LeakController::takeFilterBack);
    connect(&view(), &ui::LeaksView::rowsWanted, this, &LeakController::openRows);
    followPanel();
}

/// Other changes of the state are already handled separately.
void LeakController::followOptions() {
    const auto& now = tabs().current().state().options().suppressions;
    if (std::exchange(suppressions_, now) != now) refresh().askSoon();
}

analysis::Table LeakController::tableToAsk() const {
    return graph() != nullptr && graph()->table() == analysis::Table::VirtualAlloc ? analysis::Table::VirtualAlloc
                                                                                   : analysis::Table::Heap;
}

ui::GraphState* LeakController::graphToAsk() const {
    const auto table = tableToAsk();
    if (graph() != nullptr && graph()->table() == table) return graph();
    const auto graphs = tabs().current().state().graphs();
    const auto found = std::ranges::find_if(graphs, [&](const auto* graph) { return graph->table() == table; });
    return found == graphs.end() ? nullptr : *found;
}

bool LeakController::fill(analysis::LeakQuery& query) {
    const auto& state = tabs().current().state();
    query.table = tableToAsk();
    query.interval = state.visibleRange();
    query.suppressions = state.options().suppressions;
    query.most = kMostSuspects;
    fillCommon(query, state);
    auto* asked = graphToAsk();
    refresh().followFilterOf(asked);
    fillFilter(query, asked);
    return true;
}

ui::GraphPanel* LeakController::panelOfAnswer() {
    const auto& answer = view().model().answer();
    return answer ? &panelOf(tabs(), answer->query.table) : nullptr;
}

void LeakController::paint(const analysis::LeakSuspect& suspect) {
    if (auto* panel = panelOfAnswer()) panel->graph().paintRows({suspect.path});
}

void LeakController::filterTo(const analysis::LeakSuspect& suspect) {
    auto* panel = panelOfAnswer();
    if (panel == nullptr) return;
    filter().filterTo(*panel, suspect.path, tr("Leak: %1").arg(ui::lineText(suspect.owner)));
    view().setFiltered(suspect.path);
}

void LeakController::takeFilterBack() {
    filter().takeBack(graphToAsk());
    view().setFiltered({});
}

void LeakController::openRows(const analysis::LeakSuspect& suspect) {
    auto* panel = panelOfAnswer();
    if (panel == nullptr) return;
    filterTo(suspect);
    openRowOf(*panel, pathOfOwner(suspect));
}

Page* leaksPage(const PageContext& context) { return new LeakController(context.tabs, context.window); }

} // namespace highwater::app

#include "moc_leak_controller.cpp"
