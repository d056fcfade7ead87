#pragma once

#include "app/pages/page_refresh.h"
#include "ui/state/finders/histogram_finder.h"
#include "ui/state/graph_state.h"

#include <QAction>
#include <QObject>
#include <QPointer>

#include <optional>

class QDockWidget;
class QMainWindow;

namespace highwater::ui {
class AnalysisTabs;
class HistogramView;
} // namespace highwater::ui

namespace highwater::app {

/// The Histogram page in its dock: asks about the table of the current graph, its interval and its filter whenever one
/// of them changes and the page can be seen, and filters that graph to a bar. GUI thread only.
class HistogramController : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive it. The dock is hidden until somebody asks for it.
    HistogramController(ui::AnalysisTabs& tabs, QMainWindow& window, ui::HistogramFunction find = ui::answerHistogram);

    [[nodiscard]] QAction* toggleAction() const;
    /// The page shows what is asked for, or cannot be seen.
    [[nodiscard]] bool isUpToDate() const;

  signals:
    void upToDate();

  private:
    void buildDock(QMainWindow& window);
    void connectTabs();
    void followPanel();
    void forgetTrace(bool isGone);
    void ask(ui::Urgency urgency);
    void filterTo(const QString& query);
    void takeFilterBack();
    /// Where in the filter of the current graph the page's step is; nothing: nowhere.
    [[nodiscard]] std::optional<std::size_t> ownStep() const;

    ui::AnalysisTabs& tabs_;
    ui::HistogramFinder finder_;
    QDockWidget* dock_;
    ui::HistogramView* view_;
    PageRefresh refresh_;
    QPointer<ui::GraphState> graph_;
    std::optional<ui::FilterStep> own_; ///< what the page filters to
};

} // namespace highwater::app
