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
namespace {

constexpr int kHeapGrowthMs = 2000;

} // namespace

HeapController::HeapController(ui::AnalysisTabs& tabs, QMainWindow& window, ui::HeapFunction find)
    : QObject(&window),
      tabs_(tabs),
      finder_(nullptr, std::move(find)),
      dock_(new QDockWidget(tr("Heaps"), &window)),
      view_(new ui::HeapsView) {
    buildDock(window);
    soon_.setSingleShot(true);
    growth_.setSingleShot(true);
    growth_.setInterval(kHeapGrowthMs);
    connect(&soon_, &QTimer::timeout, this, [this] { ask(ui::Urgency::Now); });
    connect(&growth_, &QTimer::timeout, this, [this] { ask(ui::Urgency::WhenIdle); });
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
    connect(dock_, &QDockWidget::visibilityChanged, this, [this](bool isVisible) {
        if (!isVisible) return finder_.cancel();
        emit namesWanted();
        askSoon();
    });
}

QAction* HeapController::toggleAction() const { return dock_->toggleViewAction(); }

bool HeapController::isUpToDate() const {
    return !dock_->isVisible() || (!soon_.isActive() && !growth_.isActive() && !finder_.isBusy());
}

void HeapController::showHeap(const analysis::KeyPath& path) {
    openPageDock(*dock_);
    view_->select(path);
    view_->table().setFocus();
    askSoon();
}

void HeapController::connectTabs() {
    connect(&tabs_, &ui::AnalysisTabs::currentViewChanged, this, &HeapController::askSoon);
    connect(&tabs_, &ui::AnalysisTabs::currentPanelChanged, this, &HeapController::followPanel);
    connect(&tabs_.shown(), &ui::TraceOnScreen::changed, this, &HeapController::followTrace);
    followPanel();
}

void HeapController::followPanel() {
    if (graph_) graph_->disconnect(this);
    if (panel_) panel_->table().disconnect(this);
    panel_ = tabs_.currentPanel();
    graph_ = panel_ ? &panel_->graph() : nullptr;
    if (panel_) {
        connect(graph_, &ui::GraphState::changed, this, [this](ui::GraphState::Changes changes) {
            if (changes.testFlag(ui::GraphState::Filter)) askSoon();
        });
        connect(&panel_->table(), &ui::GroupedTableView::heapWanted, this, &HeapController::showHeap);
    }
    askSoon();
}

void HeapController::followTrace(ui::TraceOnScreen::Changes changes) {
    // The names of another trace are wanted by whoever shows it: the page was open before.
    if (changes.testFlag(ui::TraceOnScreen::NewTrace) && dock_->isVisible()) emit namesWanted();
    if (changes & (ui::TraceOnScreen::NewTrace | ui::TraceOnScreen::Cleared)) {
        finder_.cancel();
        filter_.forget();
        view_->setFiltered({});
        view_->clear(changes.testFlag(ui::TraceOnScreen::Cleared) ? tr("Open or record a trace to see its heaps.")
                                                                  : QString());
        askSoon();
    } else if (changes & (ui::TraceOnScreen::MoreOfIt | ui::TraceOnScreen::Names)) {
        if (!growth_.isActive()) growth_.start();
    } else if (changes & (ui::TraceOnScreen::Loading | ui::TraceOnScreen::Naming)) {
        askSoon();
    }
}

void HeapController::askSoon() {
    if (dock_->isVisible()) soon_.start(0);
}

void HeapController::ask(ui::Urgency urgency) {
    const auto& shown = tabs_.shown();
    if (!dock_->isVisible() || !shown.trace()) return;
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
