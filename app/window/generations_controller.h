#pragma once

#include "app/pages/page_filter.h"
#include "app/pages/page_refresh.h"
#include "ui/state/finders/generations_finder.h"
#include "ui/state/graph_state.h"

#include <QAction>
#include <QObject>
#include <QPointer>

class QDockWidget;
class QMainWindow;

namespace highwater::ui {
class AnalysisTabs;
class GenerationsView;
} // namespace highwater::ui

namespace highwater::app {

/// The Generations page in its dock: asks about the current graph, its interval, its filter and the marks whenever one
/// of them changes and the page can be seen, and shows marks and stacks in that graph. GUI thread only.
class GenerationsController : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive it. The dock is hidden until somebody asks for it.
    GenerationsController(ui::AnalysisTabs& tabs, QMainWindow& window,
                          ui::GenerationsFunction find = ui::answerGenerations);

    [[nodiscard]] QAction* toggleAction() const;
    void show();
    /// The page shows what is asked for, or cannot be seen.
    [[nodiscard]] bool isUpToDate() const;

  signals:
    /// Stacks are shown: functions are to get names.
    void namesWanted();
    void upToDate();
    void renameWanted(qint64 ticks, const QString& name);

  private:
    void buildDock(QMainWindow& window);
    void connectTabs();
    void connectView();
    void followPanel();
    void forgetTrace(bool isGone);
    void ask(ui::Urgency urgency);
    [[nodiscard]] ui::GenerationsRequest request() const;
    void filterTo(const analysis::KeyPath& path, const QString& text);

    ui::AnalysisTabs& tabs_;
    ui::GenerationsFinder finder_;
    QDockWidget* dock_;
    ui::GenerationsView* view_;
    PageRefresh refresh_;
    QPointer<ui::GraphState> graph_;
    PageFilter filter_;
};

} // namespace highwater::app
