#pragma once

#include "app/pages/asking_page.h"
#include "app/tools/callers/page/callers_view.h"
#include "core/analysis/callers/callers.h"

namespace highwater::app {

using CallersAskingPage = AskingPage<analysis::CallersQuery, analysis::Callers, ui::CallersView>;

/// The Callers page: asks about a function in the table of the current graph, its interval and its filter; tables say
/// which function by their menu. GUI thread only.
class CallersController : public CallersAskingPage {
    Q_OBJECT
  public:
    CallersController(ui::AnalysisTabs& tabs, QMainWindow& window);

  public slots:
    /// Shows the page with this function.
    void showFunction(const QString& function);

  private:
    void connectPanel(ui::GraphPanel& panel, QObject& until) override;
    bool fill(analysis::CallersQuery& query) override;
    void showAnswer(const Asked& asked, analysis::Callers callers) override;

    QString function_;
};

} // namespace highwater::app
