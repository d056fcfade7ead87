#include "app/pages/histogram_controller.h"

#include "app/pages/page_dock.h"
#include "ui/format/qt_text.h"
#include "ui/state/analysis_state.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/histogram/histogram_view.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QTreeView>

#include <algorithm>

namespace highwater::app {
namespace {

constexpr std::uint32_t kFrequentSizes = 200;

} // namespace

HistogramController::HistogramController(ui::AnalysisTabs& tabs, QMainWindow& window, ui::HistogramFunction find)
    : QObject(&window),
      tabs_(tabs),
      finder_(nullptr, std::move(find)),
      dock_(new QDockWidget(tr("Histogram"), &window)),
      view_(new ui::HistogramView),
      refresh_(*dock_, tabs) {
    buildDock(window);
    connect(&refresh_, &PageRefresh::askWanted, this, &HistogramController::ask);
    connect(&refresh_, &PageRefresh::hidden, this, [this] { finder_.cancel(); });
    connect(&refresh_, &PageRefresh::traceReplaced, this, &HistogramController::forgetTrace);
    connectTabs();
    connect(&finder_, &ui::HistogramFinder::busyChanged, view_, &ui::HistogramView::setBusy);
    connect(&finder_, &ui::HistogramFinder::answered, view_, &ui::HistogramView::setAnswer);
    connect(&finder_, &ui::HistogramFinder::answered, this, &HistogramController::upToDate);
    connect(&finder_, &ui::HistogramFinder::failed, view_, &ui::HistogramView::clear);
    connect(view_, &ui::HistogramView::whatChanged, &refresh_, &PageRefresh::askSoon);
    connect(view_, &ui::HistogramView::filterWanted, this, &HistogramController::filterTo);
    connect(view_, &ui::HistogramView::filterUnwanted, this, &HistogramController::takeFilterBack);
}

void HistogramController::buildDock(QMainWindow& window) {
    addPageDock(*dock_, *view_, window,
                {.name = "histogramDock",
                 .action = "toggleHistogram",
                 .text = tr("Hi&stogram"),
                 .keys = QKeySequence(Qt::CTRL | Qt::Key_H),
                 .focus = &view_->table()});
}

QAction* HistogramController::toggleAction() const { return dock_->toggleViewAction(); }

bool HistogramController::isUpToDate() const {
    return !dock_->isVisible() || (!refresh_.isPending() && !finder_.isBusy());
}

void HistogramController::connectTabs() {
    connect(&tabs_, &ui::AnalysisTabs::currentPanelChanged, this, &HistogramController::followPanel);
    followPanel();
}

void HistogramController::followPanel() {
    auto* panel = tabs_.currentPanel();
    graph_ = panel == nullptr ? nullptr : &panel->graph();
    refresh_.followFilterOf(graph_);
    refresh_.askSoon();
}

void HistogramController::forgetTrace(bool isGone) {
    finder_.cancel();
    own_.reset();
    view_->setFiltered({});
    view_->clear(isGone ? tr("Open or record a trace to see its sizes and lifetimes.") : QString());
}

void HistogramController::ask(ui::Urgency urgency) {
    const auto& shown = tabs_.shown();
    if (!shown.trace() || !graph_) return;
    const auto& state = graph_->analysis();
    ui::HistogramRequest request{shown.trace(), shown.labels(), {}};
    request.query.table = graph_->table();
    request.query.interval = state.tableRange();
    request.query.processExitFreesHeap = state.options().processExitFreesHeap;
    request.query.allocatorFrames = state.options().allocatorFrames;
    if (view_->what() == ui::HistogramView::What::LifeTimes) request.query.of = analysis::HistogramOf::LifeTime;
    if (view_->what() == ui::HistogramView::What::FrequentSizes) request.query.exact = kFrequentSizes;
    auto steps = graph_->filterSteps();
    const auto own = ownStep();
    view_->setFiltered(own ? own_->text : QString());
    // Else the page would show the bar that it filters to, and nothing else.
    if (own) steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(*own));
    if (auto filter = ui::rowFilterIn(*graph_, steps); filter.hasValue())
        request.query.filter = std::move(filter).value();
    finder_.ask(std::move(request), urgency);
}

std::optional<std::size_t> HistogramController::ownStep() const {
    if (!graph_ || !own_) return std::nullopt;
    const auto& steps = graph_->filterSteps();
    const auto found = std::find(steps.begin(), steps.end(), *own_);
    return found == steps.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - steps.begin()));
}

void HistogramController::filterTo(const QString& query) {
    const auto& answer = view_->model().answer();
    if (!graph_ || !answer || answer->query.table != graph_->table()) return;
    const auto parsed = analysis::QueryExpression::parse(graph_->table(), query.toStdString());
    if (!parsed.hasValue()) return;
    const auto before = ownStep();
    own_ = ui::FilterStep{.clause = {}, .text = query, .query = parsed.value()};
    if (before)
        graph_->replaceFilter(*before, *own_);
    else
        graph_->addFilter(*own_);
    view_->setFiltered(query);
}

void HistogramController::takeFilterBack() {
    if (const auto step = ownStep()) graph_->removeFilter(*step);
    own_.reset();
    view_->setFiltered({});
}

} // namespace highwater::app

#include "moc_histogram_controller.cpp"
