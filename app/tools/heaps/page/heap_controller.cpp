#include "app/tools/heaps/page/heap_controller.h"

#include "app/pages/page_context.h"
#include "app/tools/tools.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/table/grouped_table_view.h"

#include <QTreeView>

namespace highwater::app {

HeapController::HeapController(ui::AnalysisTabs& tabs, QMainWindow& window)
    : HeapAskingPage(tabs, window, new ui::HeapsView, tr("Heaps"),
                     {.name = "heapsDock",
                      .action = "toggleHeaps",
                      .text = tr("Hea&ps"),
                      .keys = QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_H)},
                     ui::foundBy<analysis::findHeaps>) {
    connect(&view(), &ui::HeapsView::painted, this, &HeapController::paint);
    connect(&view(), &ui::HeapsView::filterWanted, this, &HeapController::filterTo);
    connect(&view(), &ui::HeapsView::filterUnwanted, this, &HeapController::takeFilterBack);
    connect(&view(), &ui::HeapsView::rowsWanted, this, &HeapController::openRows);
    followPanel();
}

void HeapController::showHeap(const analysis::KeyPath& path) {
    show();
    view().select(path);
    view().table().setFocus();
    refresh().askSoon();
}

void HeapController::connectPanel(ui::GraphPanel& panel, QObject& until) {
    connect(&panel.table(), &ui::GroupedTableView::heapWanted, &until,
            [this](const analysis::KeyPath& path) { showHeap(path); });
}

bool HeapController::fill(analysis::HeapsQuery& query) {
    const auto& state = tabs().current().state();
    query.interval = state.tableRange();
    fillCommon(query, state);
    fillFilter(query, graph() != nullptr && graph()->table() == analysis::Table::Heap ? graph() : nullptr);
    return true;
}

void HeapController::paint(const analysis::HeapFacts& heap) {
    if (heap.count > 0 || heap.peak > 0) panelOf(tabs(), analysis::Table::Heap).graph().paintRows({heap.path});
}

void HeapController::filterTo(const analysis::HeapFacts& heap) {
    auto& panel = panelOf(tabs(), analysis::Table::Heap);
    filter().filterTo(panel, heap.path, tr("Heap: 0x%1").arg(heap.handle, 0, 16));
    view().setFiltered(heap.path);
}

void HeapController::takeFilterBack() {
    filter().takeBack(graph());
    view().setFiltered({});
}

void HeapController::openRows(const analysis::HeapFacts& heap) {
    auto& panel = panelOf(tabs(), analysis::Table::Heap);
    filterTo(heap);
    openRowOf(panel, heap.path);
}

Page* heapsPage(const PageContext& context) { return new HeapController(context.tabs, context.window); }

} // namespace highwater::app

#include "moc_heap_controller.cpp"
