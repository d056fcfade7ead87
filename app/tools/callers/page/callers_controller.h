#pragma once

#include "app/pages/asking_page.h"
#include "app/tools/callers/page/callers_view.h"
#include "core/analysis/callers/callers.h"

namespace highwater::app {

using CallersAskingPage = AskingPage<analysis::CallersQuery, analysis::Callers, ui::CallersView>;

/// The Callers page: shows a function in the table, interval and filter of the current graph. Functions are chosen in
/// the context menu of tables. GUI thread only.
class CallersController : public CallersAskingPage {
    Q_OBJECT
  public:
    CallersController(ui::AnalysisTabs& tabs, QMainWindow& window);

  public slots:
    /// Opens the page with this function.
    void showFunction(const QString& function);

  private:
    void connectPanel(ui::GraphPanel& panel, QObject& until) override;
    bool fill(analysis::CallersQuery& query) override;
    void showAnswer(const Asked& asked, analysis::Callers callers) override;

    QString function_;
};

} // namespace highwater::app
