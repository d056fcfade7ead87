#include "app/pages/heap_controller.h"

#include "app/pages/page_dock.h"
#include "ui/format/qt_text.h"
#include "ui/state/analysis_state.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/heaps/heaps_view.h"
#include "ui/view/table/grouped_table_view.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QTreeView>

namespace highwater::app {
HeapController::HeapController(ui::AnalysisTabs& tabs, QMainWindow& window, ui::HeapFunction find)
    : QObject(&window),
      tabs_(tabs),
      finder_(nullptr, std::move(find)),
      dock_(new QDockWidget(tr("Heaps"), &window)),
      view_(new ui::HeapsView),
      refresh_(*dock_, tabs) {
    buildDock(window);
    connect(&refresh_, &PageRefresh::askWanted, this, &HeapController::ask);
    connect(&refresh_, &PageRefresh::hidden, this, [this] { finder_.cancel(); });
    connect(&refresh_, &PageRefresh::namesWanted, this, &HeapController::namesWanted);
    connect(&refresh_, &PageRefresh::traceReplaced, this, &HeapController::forgetTrace);
    connectTabs();
    connect(&finder_, &ui::HeapFinder::busyChanged, view_, &ui::HeapsView::setBusy);
    connect(&finder_, &ui::HeapFinder::answered, view_, &ui::HeapsView::setAnswer);
    connect(&finder_, &ui::HeapFinder::answered, this, &HeapController::upToDate);
    connect(&finder_, &ui::HeapFinder::failed, view_, &ui::HeapsView::clear);
    connect(view_, &ui::HeapsView::painted, this, &HeapController::paint);
    connect(view_, &ui::HeapsView::filterWanted, this, &HeapController::filterTo);
    connect(view_, &ui::HeapsView::filterUnwanted, this, &HeapController::takeFilterBack);
    connect(view_, &ui::HeapsView::rowsWanted, this, &HeapController::openRows);
}

void HeapController::buildDock(QMainWindow& window) {
    addPageDock(*dock_, *view_, window,
                {.name = "heapsDock",
                 .action = "toggleHeaps",
                 .text = tr("Hea&ps"),
                 .keys = QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_H),
                 .focus = &view_->table()});
}

QAction* HeapController::toggleAction() const { return dock_->toggleViewAction(); }

bool HeapController::isUpToDate() const { return !dock_->isVisible() || (!refresh_.isPending() && !finder_.isBusy()); }

void HeapController::showHeap(const analysis::KeyPath& path) {
    openPageDock(*dock_);
    view_->select(path);
    view_->table().setFocus();
    refresh_.askSoon();
}

void HeapController::connectTabs() {
    connect(&tabs_, &ui::AnalysisTabs::currentPanelChanged, this, &HeapController::followPanel);
    followPanel();
}

void HeapController::followPanel() {
    if (panel_) panel_->table().disconnect(this);
    panel_ = tabs_.currentPanel();
    graph_ = panel_ ? &panel_->graph() : nullptr;
    if (panel_) connect(&panel_->table(), &ui::GroupedTableView::heapWanted, this, &HeapController::showHeap);
    refresh_.followFilterOf(graph_);
    refresh_.askSoon();
}

void HeapController::forgetTrace(bool isGone) {
    finder_.cancel();
    filter_.forget();
    view_->setFiltered({});
    view_->clear(isGone ? tr("Open or record a trace to see its heaps.") : QString());
}

void HeapController::ask(ui::Urgency urgency) {
    const auto& shown = tabs_.shown();
    if (!shown.trace()) return;
    const auto& state = tabs_.current().state();
    ui::HeapRequest request{shown.trace(), shown.labels(), {}};
    request.query.interval = state.tableRange();
    request.query.processExitFreesHeap = state.options().processExitFreesHeap;
    request.query.allocatorFrames = state.options().allocatorFrames;
    request.query.marks = state.marks();
    if (graph_ && graph_->table() == analysis::Table::Heap) {
        // Without its own step, else the page would show the heap that it filters to, and nothing else.
        if (auto filter = filter_.filterWithout(*graph_); filter.hasValue())
            request.query.filter = std::move(filter).value();
    }
    view_->setFiltered(filter_.pathIn(graph_));
    finder_.ask(std::move(request), urgency);
}

void HeapController::paint(const analysis::HeapFacts& heap) {
    if (heap.count > 0 || heap.peak > 0) panelOf(tabs_, analysis::Table::Heap).graph().paintRows({heap.path});
}

void HeapController::filterTo(const analysis::HeapFacts& heap) {
    auto& panel = panelOf(tabs_, analysis::Table::Heap);
    filter_.filterTo(panel, heap.path, tr("Heap: 0x%1").arg(heap.handle, 0, 16));
    view_->setFiltered(heap.path);
}

void HeapController::takeFilterBack() {
    filter_.takeBack(graph_);
    view_->setFiltered({});
}

void HeapController::openRows(const analysis::HeapFacts& heap) {
    auto& panel = panelOf(tabs_, analysis::Table::Heap);
    filterTo(heap);
    openRowOf(panel, heap.path);
}

} // namespace highwater::app

#include "moc_heap_controller.cpp"
