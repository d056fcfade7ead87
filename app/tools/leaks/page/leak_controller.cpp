#include "app/tools/leaks/page/leak_controller.h"

#include "app/pages/page_context.h"
#include "app/tools/tools.h"
#include "core/analysis/leaks/freed_on_exit.h"
#include "ui/format/plain_text.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/parts/command_look.h"

#include <QApplication>

#include <algorithm>
#include <utility>
#include <vector>

namespace highwater::app {
namespace {

constexpr std::size_t kMostSuspects = 100;

} // namespace

LeakController::LeakController(ui::AnalysisTabs& tabs, QMainWindow& window, Finder::Find find)
    : LeakAskingPage(tabs, window, new ui::LeaksView, tr("Leaks"),
                     {.name = "leaksDock",
                      .action = "toggleLeaks",
                      .text = tr("&Leaks"),
                      .keys = QKeySequence(Qt::CTRL | Qt::Key_L),
                      .behind = "modulesDock"},
                     std::move(find)) {
    ui::setLook(*toggleAction(), ui::LineIcon::Leaks, tr("Leaks"),
                tr("List the stacks that keep memory, the most suspicious first"));
    connect(&tabs, &ui::AnalysisTabs::currentStateChanged, this, &LeakController::followOptions);
    connect(&view(), &ui::LeaksView::painted, this, &LeakController::paint);
    connect(&view(), &ui::LeaksView::filterWanted, this, &LeakController::filterTo);
    connect(&view(), &ui::LeaksView::filterUnwanted, this, &LeakController::takeFilterBack);
    connect(&view(), &ui::LeaksView::rowsWanted, this, &LeakController::openRows);
    connect(&view(), &ui::LeaksView::zoomWanted, this,
            [this](TimeRange range) { this->tabs().current().state().zoomTo(range); });
    followPanel();
}

/// Other changes of the state are already handled separately.
void LeakController::followOptions() {
    const auto& now = tabs().current().state().options().suppressions;
    if (std::exchange(suppressions_, now) != now) refresh().askSoon();
}

ui::GraphState* LeakController::graphOf(analysis::Table table) const {
    if (graph() != nullptr && graph()->table() == table) return graph();
    const auto graphs = tabs().current().state().graphs();
    const auto found = std::ranges::find_if(graphs, [&](const auto* one) { return one->table() == table; });
    return found == graphs.end() ? nullptr : *found;
}

analysis::RowFilter LeakController::filterFor(analysis::Table table) {
    const auto* of = graphOf(table);
    if (of == nullptr) return sharedFilterFor(table);
    auto own = filter().filterWithout(*of);
    return own.hasValue() ? std::move(own).value() : analysis::RowFilter();
}

analysis::RowFilter LeakController::sharedFilterFor(analysis::Table table) const {
    const auto& state = tabs().current().state();
    std::vector<ui::FilterStep> shared;
    for (const auto* other : state.graphs()) {
        for (const auto& step : other->filterSteps()) {
            const bool isKnown = std::ranges::find(shared, step) != shared.end();
            if (step.scope == ui::FilterScope::AllGraphs && ui::suits(step, table) && !isKnown) shared.push_back(step);
        }
    }
    auto made = ui::rowFilterOf(table, shared);
    if (!made.hasValue()) return {};
    made.value().marks = state.marks();
    return std::move(made).value();
}

bool LeakController::fill(analysis::LeakQuery& query) {
    using analysis::Table;
    const auto& state = tabs().current().state();
    query.interval = state.visibleRange();
    query.suppressions = state.options().suppressions;
    query.most = kMostSuspects;
    fillCommon(query, state);
    wereNamesComing_ = tabs().shown().areNamesComing(*tabs().shown().trace());
    query.table = Table::Heap;
    query.filter = filterFor(Table::Heap);
    query.otherFilter = filterFor(Table::VirtualAlloc);
    auto* heap = graphOf(Table::Heap);
    auto* pages = graphOf(Table::VirtualAlloc);
    refresh().followFilterOf(heap != nullptr ? heap : graph(), pages != nullptr ? pages : graph());
    const auto filteredHeap = filter().pathIn(heap);
    if (filteredHeap.empty())
        view().setFiltered(filter().pathIn(pages), Table::VirtualAlloc);
    else
        view().setFiltered(filteredHeap);
    return true;
}

void LeakController::showAnswer(const Asked& asked, analysis::LeakReport found) {
    const auto answer = std::make_shared<const ui::LeakAnswer>(ui::LeakAnswer{asked.query, std::move(found)});
    view().setAnswer(answer, wereNamesComing_ || tabs().shown().areNamesComing(*asked.trace));
    emit answered(answer->query, answer->found);
}

Result<analysis::LeakReport> LeakController::findWithExit(const Asked& asked, const std::stop_token& stop) {
    return analysis::findLeaksAndExit(asked.trace, asked.labels, asked.query, stop);
}

ui::GraphPanel& LeakController::panelOf(const analysis::LeakSuspect& suspect) {
    const QPointer<QWidget> focus = QApplication::focusWidget();
    auto& panel = app::panelOf(tabs(), suspect.table);
    if (focus && view().isAncestorOf(focus)) focus->setFocus();
    return panel;
}

void LeakController::paint(const analysis::LeakSuspect& suspect) {
    auto& graph = panelOf(suspect).graph();
    if (painted_ && painted_ != &graph) painted_->paintRows({});
    painted_ = &graph;
    graph.paintRows({suspect.path});
}

void LeakController::filterTo(const analysis::LeakSuspect& suspect) {
    auto& panel = panelOf(suspect);
    for (auto* other : tabs().current().state().graphs())
        if (other != &panel.graph() && filter().isIn(*other)) filter().takeBack(other);
    filter().filterTo(panel, suspect.path, tr("Leak: %1").arg(ui::lineText(suspect.owner)));
    view().setFiltered(suspect.path, suspect.table);
}

void LeakController::takeFilterBack() {
    for (auto* graph : tabs().current().state().graphs())
        if (filter().isIn(*graph)) filter().takeBack(graph);
    view().setFiltered({});
}

void LeakController::openRows(const analysis::LeakSuspect& suspect) {
    filterTo(suspect);
    openRowOf(panelOf(suspect), analysis::pathToOwner(suspect));
}

Page* leaksPage(const PageContext& context) { return new LeakController(context.tabs, context.window); }

} // namespace highwater::app

#include "moc_leak_controller.cpp"
