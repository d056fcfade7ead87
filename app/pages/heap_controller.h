#pragma once

#include "app/pages/page_filter.h"
#include "app/pages/page_refresh.h"
#include "ui/state/finders/heap_finder.h"
#include "ui/state/graph_state.h"

#include <QAction>
#include <QObject>
#include <QPointer>

class QDockWidget;
class QMainWindow;

namespace highwater::ui {
class AnalysisTabs;
class HeapsView;
} // namespace highwater::ui

namespace highwater::app {

/// The Heaps page in its dock: asks about the interval, and the filter where the current graph is of heaps, whenever
/// one of them changes and the page can be seen; paints and filters that graph. GUI thread only.
class HeapController : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive it. The dock is hidden until somebody asks for it.
    HeapController(ui::AnalysisTabs& tabs, QMainWindow& window, ui::HeapFunction find = ui::answerHeaps);

    [[nodiscard]] QAction* toggleAction() const;
    /// The page shows what is asked for, or cannot be seen.
    [[nodiscard]] bool isUpToDate() const;

  public slots:
    /// Shows the page with this heap (Process, Handle) selected.
    void showHeap(const highwater::analysis::KeyPath& path);

  signals:
    /// Stacks are shown: functions are to get names.
    void namesWanted();
    void upToDate();

  private:
    void buildDock(QMainWindow& window);
    void connectTabs();
    void followPanel();
    void forgetTrace(bool isGone);
    void ask(ui::Urgency urgency);
    void paint(const analysis::HeapFacts& heap);
    void filterTo(const analysis::HeapFacts& heap);
    void takeFilterBack();
    void openRows(const analysis::HeapFacts& heap);

    ui::AnalysisTabs& tabs_;
    ui::HeapFinder finder_;
    QDockWidget* dock_;
    ui::HeapsView* view_;
    PageRefresh refresh_;
    QPointer<ui::GraphPanel> panel_;
    QPointer<ui::GraphState> graph_;
    PageFilter filter_;
};

} // namespace highwater::app
