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

constexpr int kGenerationsGrowthMs = 2000;
constexpr std::size_t kMostStacks = 100;       ///< of a generation
constexpr std::size_t kMostStacksOfAll = 5000; ///< about, where there are many marks
constexpr std::size_t kFewestStacks = 5;

} // namespace

GenerationsController::GenerationsController(ui::AnalysisTabs& tabs, QMainWindow& window, ui::GenerationsFunction find)
    : QObject(&window),
      tabs_(tabs),
      finder_(nullptr, std::move(find)),
      dock_(new QDockWidget(tr("Generations"), &window)),
      view_(new ui::GenerationsView) {
    buildDock(window);
    soon_.setSingleShot(true);
    growth_.setSingleShot(true);
    growth_.setInterval(kGenerationsGrowthMs);
    connect(&soon_, &QTimer::timeout, this, [this] { ask(ui::Urgency::Now); });
    connect(&growth_, &QTimer::timeout, this, [this] { ask(ui::Urgency::WhenIdle); });
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
    connect(dock_, &QDockWidget::visibilityChanged, this, &GenerationsController::followVisibility);
}

QAction* GenerationsController::toggleAction() const { return dock_->toggleViewAction(); }

void GenerationsController::show() { openPageDock(*dock_); }

bool GenerationsController::isUpToDate() const {
    return !dock_->isVisible() || (!soon_.isActive() && !growth_.isActive() && !finder_.isBusy());
}

void GenerationsController::connectTabs() {
    connect(&tabs_, &ui::AnalysisTabs::currentViewChanged, this, &GenerationsController::askSoon);
    connect(&tabs_, &ui::AnalysisTabs::currentPanelChanged, this, &GenerationsController::followPanel);
    connect(&tabs_.shown(), &ui::TraceOnScreen::changed, this, &GenerationsController::followTrace);
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
    if (graph_) graph_->disconnect(this);
    auto* panel = tabs_.currentPanel();
    graph_ = panel == nullptr ? nullptr : &panel->graph();
    if (graph_) {
        connect(graph_, &ui::GraphState::changed, this, [this](ui::GraphState::Changes changes) {
            if (changes.testFlag(ui::GraphState::Filter)) askSoon();
        });
    }
    askSoon();
}

void GenerationsController::followTrace(ui::TraceOnScreen::Changes changes) {
    // The names of another trace are wanted by whoever shows it: the page was open before.
    if (changes.testFlag(ui::TraceOnScreen::NewTrace) && dock_->isVisible()) emit namesWanted();
    if (changes & (ui::TraceOnScreen::NewTrace | ui::TraceOnScreen::Cleared)) {
        finder_.cancel();
        filter_.forget();
        view_->setFiltered({});
        view_->clear(changes.testFlag(ui::TraceOnScreen::Cleared)
                         ? tr("Open or record a trace to see what grows from mark to mark.")
                         : QString());
        askSoon();
    } else if (changes & (ui::TraceOnScreen::MoreOfIt | ui::TraceOnScreen::Names)) {
        if (!growth_.isActive()) growth_.start();
    } else if (changes & (ui::TraceOnScreen::Loading | ui::TraceOnScreen::Naming)) {
        askSoon();
    }
}

void GenerationsController::followVisibility(bool isVisible) {
    if (!isVisible) return finder_.cancel();
    emit namesWanted();
    askSoon();
}

void GenerationsController::askSoon() {
    if (dock_->isVisible()) soon_.start(0);
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
    if (!dock_->isVisible() || !tabs_.shown().trace()) return;
    view_->setFiltered(filter_.pathIn(graph_));
    finder_.ask(request(), urgency);
}

} // namespace highwater::app
