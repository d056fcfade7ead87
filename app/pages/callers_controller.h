#pragma once

#include "app/pages/page_refresh.h"
#include "core/analysis/callers/callers.h"
#include "ui/state/graph_state.h"
#include "ui/state/query_lane.h"

#include <QAction>
#include <QObject>
#include <QPointer>

class QDockWidget;
class QMainWindow;

namespace highwater::ui {
class AnalysisTabs;
class CallersView;
class GraphPanel;
} // namespace highwater::ui

namespace highwater::app {

/// The Callers page in its dock: asks about a function in the table of the current graph, its interval and its filter,
/// whenever one of them changes and the page can be seen; tables say which function by their menu. GUI thread only.
class CallersController : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive it. The dock is hidden until somebody asks for it.
    CallersController(ui::AnalysisTabs& tabs, QMainWindow& window);
    ~CallersController() override;

    [[nodiscard]] QAction* toggleAction() const;
    /// The page shows what is asked for, or cannot be seen.
    [[nodiscard]] bool isUpToDate() const;

  public slots:
    /// Shows the page with this function.
    void showFunction(const QString& function);

  signals:
    /// Stacks are shown: functions are to get names.
    void namesWanted();
    void upToDate();

  private:
    struct Request {
        std::shared_ptr<const store::PublishedTrace> trace;
        std::shared_ptr<analysis::FrameLabels> labels;
        analysis::CallersQuery query;
    };

    void buildDock(QMainWindow& window);
    void connectTabs();
    void followPanel();
    void forgetTrace();
    void ask(ui::Urgency urgency);
    void deliver(const Request& request, Result<analysis::Callers> answer);

    ui::AnalysisTabs& tabs_;
    ui::QueryPools pools_;
    ui::QueryLane<Request, analysis::Callers> lane_;
    QDockWidget* dock_;
    ui::CallersView* view_;
    PageRefresh refresh_;
    QPointer<ui::GraphPanel> panel_;
    QString function_;
};

} // namespace highwater::app
