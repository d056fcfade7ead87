#include "app/pages/callers_controller.h"

#include "app/pages/page_dock.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/state/analysis_state.h"
#include "ui/view/analysis/analysis_tabs.h"
#include "ui/view/analysis/analysis_view.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/callers/callers_view.h"
#include "ui/view/flames/flame_view.h"
#include "ui/view/table/grouped_table_view.h"

#include <QDockWidget>
#include <QLineEdit>
#include <QMainWindow>

namespace highwater::app {
CallersController::CallersController(ui::AnalysisTabs& tabs, QMainWindow& window)
    : QObject(&window),
      tabs_(tabs),
      lane_(
          *this, pools_,
          [](const Request& request, const std::stop_token& stop) {
              return analysis::findCallers(*request.trace, *request.labels, request.query, stop);
          },
          [this](const Request& request, Result<analysis::Callers> answer) { deliver(request, std::move(answer)); }),
      dock_(new QDockWidget(tr("Callers"), &window)),
      view_(new ui::CallersView),
      refresh_(*dock_, tabs) {
    pools_.setMaxThreadCount(1);
    lane_.onBusyChange([this] { view_->setBusy(lane_.isBusy()); });
    buildDock(window);
    connect(&refresh_, &PageRefresh::askWanted, this, &CallersController::ask);
    connect(&refresh_, &PageRefresh::hidden, this, [this] { lane_.cancel(); });
    connect(&refresh_, &PageRefresh::namesWanted, this, &CallersController::namesWanted);
    connect(&refresh_, &PageRefresh::traceReplaced, this, &CallersController::forgetTrace);
    connect(view_, &ui::CallersView::functionWanted, this, &CallersController::showFunction);
    connectTabs();
}

CallersController::~CallersController() {
    lane_.cancel();
    pools_.waitForDone();
}

void CallersController::buildDock(QMainWindow& window) {
    addPageDock(*dock_, *view_, window,
                {.name = "callersDock",
                 .action = "toggleCallers",
                 .text = tr("C&allers"),
                 .keys = QKeySequence(Qt::CTRL | Qt::Key_K),
                 .focus = &view_->functionBox()});
}

QAction* CallersController::toggleAction() const { return dock_->toggleViewAction(); }

bool CallersController::isUpToDate() const { return !dock_->isVisible() || (!refresh_.isPending() && !lane_.isBusy()); }

void CallersController::showFunction(const QString& function) {
    function_ = function;
    view_->setFunction(function);
    openPageDock(*dock_);
    refresh_.askSoon();
}

void CallersController::connectTabs() {
    connect(&tabs_, &ui::AnalysisTabs::currentPanelChanged, this, &CallersController::followPanel);
    followPanel();
}

void CallersController::followPanel() {
    if (panel_) {
        panel_->table().disconnect(this);
        panel_->flames().disconnect(this);
    }
    panel_ = tabs_.currentPanel();
    if (panel_) {
        connect(&panel_->table(), &ui::GroupedTableView::callersWanted, this, &CallersController::showFunction);
        connect(&panel_->flames(), &ui::FlameView::callersWanted, this, &CallersController::showFunction);
    }
    refresh_.followFilterOf(panel_ ? &panel_->graph() : nullptr);
    refresh_.askSoon();
}

void CallersController::forgetTrace() {
    lane_.cancel();
    view_->clear({});
}

void CallersController::ask(ui::Urgency urgency) {
    const auto& shown = tabs_.shown();
    if (!shown.trace() || !panel_ || function_.trimmed().isEmpty()) return;
    const auto& graph = panel_->graph();
    const auto& state = graph.analysis();
    Request request{shown.trace(), shown.labels(), {}};
    request.query.table = graph.table();
    request.query.interval = state.tableRange();
    request.query.function = function_.toStdString();
    request.query.filter = graph.filterInContext();
    request.query.processExitFreesHeap = state.options().processExitFreesHeap;
    request.query.allocatorFrames = state.options().allocatorFrames;
    lane_.ask(std::move(request), urgency);
}

void CallersController::deliver(const Request& request, Result<analysis::Callers> answer) {
    if (answer.hasValue()) {
        const auto where =
            tr("%1, %2 to %3")
                .arg(ui::toQString(analysis::tableTitle(request.query.table)),
                     ui::formatTime(request.query.interval.start), ui::formatTime(request.query.interval.end));
        view_->setAnswer(std::make_shared<const analysis::Callers>(std::move(answer).value()), where);
    } else if (answer.error().kind != ErrorKind::Cancelled) {
        view_->clear(ui::toQString(answer.error().message));
    }
    emit upToDate();
}

} // namespace highwater::app

#include "moc_callers_controller.cpp"
