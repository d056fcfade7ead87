#include "app/tools/generations/page/generations_controller.h"

#include "app/pages/page_context.h"
#include "app/tools/tools.h"
#include "ui/state/mark_list.h"
#include "ui/view/analysis/graph_panel.h"

#include <algorithm>

namespace highwater::app {
namespace {

constexpr std::size_t kMostStacks = 100;       ///< number of stacks per generation
constexpr std::size_t kMostStacksOfAll = 5000; ///< approximate limit if there are many marks
constexpr std::size_t kFewestStacks = 5;

} // namespace

GenerationsController::GenerationsController(ui::AnalysisTabs& tabs, QMainWindow& window)
    : GenerationsAskingPage(tabs, window, new ui::GenerationsView, tr("Generations"),
                            {.name = "generationsDock",
                             .action = "toggleGenerations",
                             .text = tr("Ge&nerations"),
                             .keys = QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G)},
                            ui::foundBy<analysis::countGenerations>) {
    connect(&view(), &ui::GenerationsView::renameWanted, this, &GenerationsController::renameWanted);
    connect(&view(), &ui::GenerationsView::painted, this, &GenerationsController::paint);
    connect(&view(), &ui::GenerationsView::filterWanted, this, &GenerationsController::filterTo);
    connect(&view(), &ui::GenerationsView::filterUnwanted, this, &GenerationsController::takeFilterBack);
    connect(&view(), &ui::GenerationsView::rowsWanted, this, &GenerationsController::openRows);
    followPanel();
}

bool GenerationsController::fill(analysis::GenerationsQuery& query) {
    const auto& state = tabs().current().state();
    const bool isOfPages = graph() != nullptr && graph()->table() == analysis::Table::VirtualAlloc;
    query.table = isOfPages ? analysis::Table::VirtualAlloc : analysis::Table::Heap;
    query.interval = state.visibleRange();
    fillCommon(query, state);
    query.most = std::clamp(kMostStacksOfAll / (query.marks->size() + 1), kFewestStacks, kMostStacks);
    fillFilter(query, graph() != nullptr && graph()->table() == query.table ? graph() : nullptr);
    return true;
}

void GenerationsController::showAnswer(const Asked& asked, analysis::GenerationsReport report) {
    GenerationsAskingPage::showAnswer(asked, std::move(report));
    // Marks were added or renamed, so the filter text is updated.
    if (const auto text = view().textOf(filter().pathIn(graph())); !text.isEmpty()) filter().rename(graph(), text);
}

void GenerationsController::paint(const analysis::KeyPath& path) {
    if (const auto& answer = view().model().answer()) panelOf(tabs(), answer->query.table).graph().paintRows({path});
}

void GenerationsController::filterTo(const analysis::KeyPath& path, const QString& text) {
    const auto& answer = view().model().answer();
    if (!answer) return;
    filter().filterTo(panelOf(tabs(), answer->query.table), path, text);
    view().setFiltered(path);
}

void GenerationsController::takeFilterBack() {
    filter().takeBack(graph());
    view().setFiltered({});
}

void GenerationsController::openRows(const analysis::KeyPath& path, const QString& text) {
    const auto& answer = view().model().answer();
    if (!answer) return;
    const auto table = answer->query.table;
    filterTo(path, text);
    openLargestOf(panelOf(tabs(), table));
}

Page* generationsPage(const PageContext& context) {
    auto* page = new GenerationsController(context.tabs, context.window);
    QObject::connect(page, &GenerationsController::renameWanted, &context.marks, &ui::MarkList::rename);
    return page;
}

} // namespace highwater::app

#include "moc_generations_controller.cpp"
