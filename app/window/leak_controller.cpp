#include "app/window/leak_controller.h"

#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/state/analysis_state.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/leaks/leaks_view.h"
#include "ui/view/table/grouped_table_view.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QTreeView>

namespace highwater::app {
namespace {

constexpr int kGrowthMs = 2000;
constexpr std::size_t kMostSuspects = 100;

} // namespace

LeakController::LeakController(ui::AnalysisTabs& tabs, QMainWindow& window, ui::LeakFunction find)
    : QObject(&window),
      tabs_(tabs),
      finder_(nullptr, std::move(find)),
      dock_(new QDockWidget(tr("Leaks"), &window)),
      view_(new ui::LeaksView) {
    buildDock(window);
    soon_.setSingleShot(true);
    growth_.setSingleShot(true);
    growth_.setInterval(kGrowthMs);
    connect(&soon_, &QTimer::timeout, this, [this] { ask(ui::Urgency::Now); });
    connect(&growth_, &QTimer::timeout, this, [this] { ask(ui::Urgency::WhenIdle); });
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
    dock_->setObjectName(QStringLiteral("leaksDock"));
    dock_->setAllowedAreas(Qt::BottomDockWidgetArea | Qt::RightDockWidgetArea | Qt::TopDockWidgetArea);
    dock_->setWidget(view_);
    window.addDockWidget(Qt::BottomDockWidgetArea, dock_);
    // Side by side the two would leave each other too little room.
    if (auto* modules = window.findChild<QDockWidget*>(QStringLiteral("modulesDock")))
        window.tabifyDockWidget(modules, dock_);
    dock_->hide();
    auto* toggle = dock_->toggleViewAction();
    toggle->setObjectName(QStringLiteral("toggleLeaks"));
    toggle->setText(tr("&Leaks"));
    toggle->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_L));
    connect(toggle, &QAction::triggered, this, [this](bool isShown) {
        if (!isShown) return;
        dock_->raise();
        view_->table().setFocus();
    });
    connect(dock_, &QDockWidget::visibilityChanged, this, &LeakController::followVisibility);
}

QAction* LeakController::toggleAction() const { return dock_->toggleViewAction(); }

void LeakController::show() {
    dock_->show();
    dock_->raise();
}

bool LeakController::isUpToDate() const {
    return !dock_->isVisible() || (!soon_.isActive() && !growth_.isActive() && !finder_.isBusy());
}

void LeakController::connectTabs() {
    connect(&tabs_, &ui::AnalysisTabs::currentStateChanged, this, &LeakController::askSoon);
    connect(&tabs_, &ui::AnalysisTabs::currentPanelChanged, this, &LeakController::followPanel);
    connect(&tabs_.shown(), &ui::TraceOnScreen::changed, this, &LeakController::followTrace);
    followPanel();
}

void LeakController::followPanel() {
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

void LeakController::followTrace(ui::TraceOnScreen::Changes changes) {
    if (changes & (ui::TraceOnScreen::NewTrace | ui::TraceOnScreen::Cleared)) {
        finder_.cancel();
        own_ = {};
        view_->setFiltered({});
        view_->clear(changes.testFlag(ui::TraceOnScreen::Cleared)
                         ? tr("Open or record a trace to see which stacks keep memory.")
                         : QString());
        askSoon();
    } else if (changes & (ui::TraceOnScreen::MoreOfIt | ui::TraceOnScreen::Names)) {
        if (!growth_.isActive()) growth_.start();
    } else if (changes & (ui::TraceOnScreen::Loading | ui::TraceOnScreen::Naming)) {
        askSoon();
    }
}

void LeakController::followVisibility(bool isVisible) {
    if (!isVisible) return finder_.cancel();
    emit namesWanted();
    askSoon();
}

void LeakController::askSoon() {
    if (dock_->isVisible()) soon_.start(0);
}

analysis::Table LeakController::tableToAsk() const {
    return graph_ && graph_->table() == analysis::Table::VirtualAlloc ? analysis::Table::VirtualAlloc
                                                                      : analysis::Table::Heap;
}

void LeakController::ask(ui::Urgency urgency) {
    const auto& shown = tabs_.shown();
    if (!dock_->isVisible() || !shown.trace()) return;
    auto& state = tabs_.current().state();
    ui::LeakRequest request{shown.trace(), shown.labels(), {}};
    request.query.table = tableToAsk();
    request.query.interval = state.visibleRange();
    request.query.allocatorFrames = state.options().allocatorFrames;
    request.query.most = kMostSuspects;
    for (const auto& mark : *state.marks())
        request.query.marks.push_back(mark.time);
    if (graph_ && graph_->table() == request.query.table) {
        auto steps = graph_->filterSteps();
        // Else the page would show what it filters to, and nothing else.
        if (const auto own = ownStep()) steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(*own));
        if (auto filter = ui::rowFilterOf(request.query.table, steps); filter.hasValue())
            request.query.filter = std::move(filter).value();
    }
    const bool isFiltered = ownStep().has_value();
    view_->setFiltered(isFiltered && !own_.anyOf.empty() ? own_.anyOf.front() : analysis::KeyPath());
    finder_.ask(std::move(request), urgency);
}

std::optional<std::size_t> LeakController::ownStep() const {
    if (!graph_ || own_.anyOf.empty()) return std::nullopt;
    const auto& steps = graph_->filterSteps();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!steps[i].query && steps[i].clause == own_) return i;
    }
    return std::nullopt;
}

ui::GraphPanel* LeakController::panelOfAnswer() {
    const auto& answer = view_->model().answer();
    if (!answer) return nullptr;
    auto* panel = tabs_.currentPanel();
    if (panel != nullptr && panel->graph().table() == answer->table) return panel;
    return &tabs_.current().showGraph(answer->table);
}

void LeakController::paint(const analysis::LeakSuspect& suspect) {
    if (auto* panel = panelOfAnswer()) panel->graph().paintRows({suspect.path});
}

void LeakController::filterTo(const analysis::LeakSuspect& suspect) {
    auto* panel = panelOfAnswer();
    if (panel == nullptr) return;
    const auto before = ownStep();
    own_ = {analysis::RowFilter::Clause::Mode::Keep, {suspect.path}};
    const ui::FilterStep step{.clause = own_, .text = tr("Leak: %1").arg(ui::lineText(suspect.owner)), .hasName = true};
    if (before)
        panel->graph().replaceFilter(*before, step);
    else
        panel->graph().addFilter(step);
    view_->setFiltered(suspect.path);
}

void LeakController::takeFilterBack() {
    if (const auto step = ownStep()) graph_->removeFilter(*step);
    own_ = {};
    view_->setFiltered({});
}

void LeakController::openRows(const analysis::LeakSuspect& suspect) {
    auto* panel = panelOfAnswer();
    if (panel == nullptr) return;
    filterTo(suspect);
    auto layout = panel->graph().layout();
    if (!ui::stackDirection(layout)) {
        const auto labels = layout.annotations; // the user's own
        layout = ui::defaultLayout(layout.table);
        layout.annotations = labels;
    }
    panel->graph().setLayout(ui::withStackDirection(std::move(layout), ui::StackDirection::BottomUp));
    panel->takeFocus();
    // A path can only be opened in the answer to what was just asked.
    auto* waiting = new QObject(panel);
    connect(&panel->runner(), &ui::QueryRunner::tableAnswered, waiting, [panel, waiting] {
        waiting->deleteLater();
        panel->table().expandHotPath();
    });
}

} // namespace highwater::app
