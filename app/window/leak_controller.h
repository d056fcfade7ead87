#pragma once

#include "app/pages/page_filter.h"
#include "app/pages/page_refresh.h"
#include "ui/state/finders/leak_finder.h"
#include "ui/state/graph_state.h"

#include <QAction>
#include <QObject>
#include <QPointer>

class QDockWidget;
class QMainWindow;

namespace highwater::ui {
class AnalysisTabs;
class GraphPanel;
class LeaksView;
} // namespace highwater::ui

namespace highwater::app {

/// The Leaks page in its dock: asks about the current graph, its interval and its filter whenever one of them changes
/// and the page can be seen, and shows suspects in that graph. GUI thread only.
class LeakController : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive it. The dock is hidden until somebody asks for it.
    LeakController(ui::AnalysisTabs& tabs, QMainWindow& window, ui::LeakFunction find = ui::answerLeaks);

    [[nodiscard]] QAction* toggleAction() const;
    void show();
    /// The page shows what is asked for, or cannot be seen.
    [[nodiscard]] bool isUpToDate() const;

  signals:
    /// Stacks are shown: functions are to get names.
    void namesWanted();
    void upToDate();

  private:
    void buildDock(QMainWindow& window);
    void connectTabs();
    void followOptions();
    void followPanel();
    void forgetTrace(bool isGone);
    void ask(ui::Urgency urgency);
    void paint(const analysis::LeakSuspect& suspect);
    void filterTo(const analysis::LeakSuspect& suspect);
    void takeFilterBack();
    void openRows(const analysis::LeakSuspect& suspect);
    /// The graph whose table the answer is about: the current one, or a new one.
    [[nodiscard]] ui::GraphPanel* panelOfAnswer();
    [[nodiscard]] analysis::Table tableToAsk() const;
    /// Whose filter the page has: the current graph, else the first one of that table in its tab; null: none.
    [[nodiscard]] ui::GraphState* graphToAsk() const;

    ui::AnalysisTabs& tabs_;
    ui::LeakFinder finder_;
    QDockWidget* dock_;
    ui::LeaksView* view_;
    PageRefresh refresh_;
    QPointer<ui::GraphState> graph_; ///< the current one
    PageFilter filter_;
    std::shared_ptr<const analysis::Suppressions> suppressions_; ///< that were asked with
};

} // namespace highwater::app
