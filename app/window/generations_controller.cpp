#include "app/window/generations_controller.h"

#include "app/pages/page_dock.h"
#include "ui/state/analysis_state.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/leaks/generations_view.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QTreeView>

#include <algorithm>

namespace highwater::app {
namespace {

constexpr std::size_t kMostStacks = 100;       ///< of a generation
constexpr std::size_t kMostStacksOfAll = 5000; ///< about, where there are many marks
constexpr std::size_t kFewestStacks = 5;

} // namespace

GenerationsController::GenerationsController(ui::AnalysisTabs& tabs, QMainWindow& window, ui::GenerationsFunction find)
    : QObject(&window),
      tabs_(tabs),
      finder_(nullptr, std::move(find)),
      dock_(new QDockWidget(tr("Generations"), &window)),
      view_(new ui::GenerationsView),
      refresh_(*dock_, tabs) {
    buildDock(window);
    connect(&refresh_, &PageRefresh::askWanted, this, &GenerationsController::ask);
    connect(&refresh_, &PageRefresh::hidden, this, [this] { finder_.cancel(); });
    connect(&refresh_, &PageRefresh::namesWanted, this, &GenerationsController::namesWanted);
    connect(&refresh_, &PageRefresh::traceReplaced, this, &GenerationsController::forgetTrace);
    connectTabs();
    connectView();
}

void GenerationsController::buildDock(QMainWindow& window) {
    addPageDock(*dock_, *view_, window,
                {.name = "generationsDock",
                 .action = "toggleGenerations",
                 .text = tr("Ge&nerations"),
                 .keys = QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G),
                 .focus = &view_->table()});
}

QAction* GenerationsController::toggleAction() const { return dock_->toggleViewAction(); }

void GenerationsController::show() { openPageDock(*dock_); }

bool GenerationsController::isUpToDate() const {
    return !dock_->isVisible() || (!refresh_.isPending() && !finder_.isBusy());
}

void GenerationsController::connectTabs() {
    connect(&tabs_, &ui::AnalysisTabs::currentPanelChanged, this, &GenerationsController::followPanel);
    followPanel();
}

void GenerationsController::connectView() {
    connect(&finder_, &ui::GenerationsFinder::busyChanged, view_, &ui::GenerationsView::setBusy);
    connect(&finder_, &ui::GenerationsFinder::answered, view_, &ui::GenerationsView::setAnswer);
    connect(&finder_, &ui::GenerationsFinder::answered, this, [this] {
        // Marks are made and renamed: the filter says what it keeps now.
        if (const auto text = view_->textOf(filter_.pathIn(graph_)); !text.isEmpty()) filter_.rename(graph_, text);
        emit upToDate();
    });
    connect(&finder_, &ui::GenerationsFinder::failed, view_, &ui::GenerationsView::clear);
    connect(view_, &ui::GenerationsView::renameWanted, this, &GenerationsController::renameWanted);
    connect(view_, &ui::GenerationsView::painted, this, [this](const analysis::KeyPath& path) {
        if (const auto& answer = view_->model().answer()) panelOf(tabs_, answer->table).graph().paintRows({path});
    });
    connect(view_, &ui::GenerationsView::filterWanted, this, &GenerationsController::filterTo);
    connect(view_, &ui::GenerationsView::filterUnwanted, this, [this] {
        filter_.takeBack(graph_);
        view_->setFiltered({});
    });
    connect(view_, &ui::GenerationsView::rowsWanted, this, [this](const analysis::KeyPath& path, const QString& text) {
        if (const auto& answer = view_->model().answer()) {
            const auto table = answer->table;
            filterTo(path, text);
            openLargestOf(panelOf(tabs_, table));
        }
    });
}

void GenerationsController::filterTo(const analysis::KeyPath& path, const QString& text) {
    const auto& answer = view_->model().answer();
    if (!answer) return;
    filter_.filterTo(panelOf(tabs_, answer->table), path, text);
    view_->setFiltered(path);
}

void GenerationsController::followPanel() {
    auto* panel = tabs_.currentPanel();
    graph_ = panel == nullptr ? nullptr : &panel->graph();
    refresh_.followFilterOf(graph_);
    refresh_.askSoon();
}

void GenerationsController::forgetTrace(bool isGone) {
    finder_.cancel();
    filter_.forget();
    view_->setFiltered({});
    view_->clear(isGone ? tr("Open or record a trace to see what grows from mark to mark.") : QString());
}

ui::GenerationsRequest GenerationsController::request() const {
    const auto& shown = tabs_.shown();
    const auto& state = tabs_.current().state();
    ui::GenerationsRequest request{shown.trace(), shown.labels(), {}};
    auto& query = request.query;
    const bool isOfPages = graph_ && graph_->table() == analysis::Table::VirtualAlloc;
    query.table = isOfPages ? analysis::Table::VirtualAlloc : analysis::Table::Heap;
    query.interval = state.visibleRange();
    query.processExitFreesHeap = state.options().processExitFreesHeap;
    query.allocatorFrames = state.options().allocatorFrames;
    query.marks = state.marks();
    query.most = std::clamp(kMostStacksOfAll / (query.marks->size() + 1), kFewestStacks, kMostStacks);
    if (graph_ && graph_->table() == query.table) {
        if (auto filter = filter_.filterWithout(*graph_); filter.hasValue()) query.filter = std::move(filter).value();
    }
    return request;
}

void GenerationsController::ask(ui::Urgency urgency) {
    if (!tabs_.shown().trace()) return;
    view_->setFiltered(filter_.pathIn(graph_));
    finder_.ask(request(), urgency);
}

} // namespace highwater::app

#include "moc_generations_controller.cpp"
