#include "app/tools/callers/page/callers_controller.h"

#include "app/pages/page_context.h"
#include "app/tools/tools.h"
#include "ui/view/analysis/graph_panel.h"
#include "ui/view/flames/flame_view.h"
#include "ui/view/table/grouped_table_view.h"

namespace highwater::app {

CallersController::CallersController(ui::AnalysisTabs& tabs, QMainWindow& window)
    : CallersAskingPage(tabs, window, new ui::CallersView, tr("Callers"),
                        {.name = "callersDock",
                         .action = "toggleCallers",
                         .text = tr("C&allers"),
                         .keys = QKeySequence(Qt::CTRL | Qt::Key_K)},
                        ui::foundBy<analysis::findCallers>) {
    connect(&view(), &ui::CallersView::functionWanted, this, &CallersController::showFunction);
    followPanel();
}

void CallersController::showFunction(const QString& function) {
    function_ = function;
    view().setFunction(function);
    show();
    refresh().askSoon();
}

void CallersController::connectPanel(ui::GraphPanel& panel, QObject& until) {
    const auto show = [this](const QString& function) { showFunction(function); };
    connect(&panel.table(), &ui::GroupedTableView::callersWanted, &until, show);
    connect(&panel.flames(), &ui::FlameView::callersWanted, &until, show);
}

bool CallersController::fill(analysis::CallersQuery& query) {
    if (graph() == nullptr || function_.trimmed().isEmpty()) return false;
    const auto& state = graph()->analysis();
    query.table = graph()->table();
    query.interval = state.tableRange();
    query.function = function_.toStdString();
    query.filter = graph()->filterInContext();
    fillCommon(query, state);
    return true;
}

void CallersController::showAnswer(const Asked& asked, analysis::Callers callers) {
    view().setAnswer(std::make_shared<const analysis::Callers>(std::move(callers)), asked.query.table,
                     asked.query.interval);
}

Page* callersPage(const PageContext& context) { return new CallersController(context.tabs, context.window); }

} // namespace highwater::app

#include "moc_callers_controller.cpp"
