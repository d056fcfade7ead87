#pragma once

#include "ui/state/analysis_state.h"
#include "ui/state/query_runner.h"
#include "ui/state/table/row_view_state.h"
#include "ui/state/trace_on_screen.h"

#include <QByteArray>
#include <QList>
#include <QWidget>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QLabel;
class QScrollArea;
class QSplitter;

namespace highwater::ui {

class DropMark;
class FindActions;
class GraphPanel;
class Presets;
class SeriesColors;
class TimeFooter;
class ZoomActions;

/// An analysis of a trace (a tab): stacked graphs that share the time axis. GUI thread only.
class AnalysisView : public QWidget {
    Q_OBJECT
  public:
    /// The trace and the colours must outlive the view.
    AnalysisView(const TraceOnScreen& shown, SeriesColors& colors, QWidget* parent = nullptr,
                 QueryFunctions functions = {});
    ~AnalysisView() override;

    /// Presets including the user's; new graphs start with the preferred one. They must outlive the view.
    void setPresets(Presets& presets);

    [[nodiscard]] AnalysisState& state() { return *state_; }
    /// In screen order.
    [[nodiscard]] std::vector<GraphPanel*> panels() const;
    /// The graph that has or last had the focus; null if there is none.
    [[nodiscard]] GraphPanel* currentPanel() const { return current_; }
    /// Adds the graph at this position or, if it already exists, makes it current.
    GraphPanel& showGraph(analysis::Table table, std::optional<std::size_t> place = {});
    /// Restores the most recently closed graph; false if there is none.
    bool reopenGraph();
    /// Shows the widget above the first graph; takes it from another view. This view then owns it.
    void setTop(QWidget& widget);
    /// Scrolls to the current graph, for a page that refers to it.
    void revealCurrent();
    /// State of the graphs' splitters, which also applies to graphs added later.
    [[nodiscard]] QList<QByteArray> splitterStates() const;
    void setSplitterStates(const QList<QByteArray>& states);
    [[nodiscard]] QList<QAction*> zoomActions() const;
    /// The find actions of the current graph's table.
    [[nodiscard]] QList<QAction*> findActions() const;
    /// Every graph is up to date with its state and the current trace.
    [[nodiscard]] bool isUpToDate() const;

  signals:
    void upToDate();
    void currentPanelChanged();
    /// Closed by the user; reopenGraph() restores it.
    void graphClosed();
    /// Stack frames appeared on screen for the first time, or a query needs them.
    void namesWanted();

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;
    /// Reacts to a new height of the graph list.
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void build();
    void followGraphs();
    void followRange(bool isNew);
    void moveGraph(GraphState& graph, int places);
    void closeGraph(GraphState& graph);
    GraphPanel* makePanel(GraphState& graph);
    [[nodiscard]] GraphPanel* panelOf(analysis::Table table) const;
    [[nodiscard]] GraphPanel* panelOf(const GraphState& graph) const;
    [[nodiscard]] QRect placeOf(const GraphPanel& panel) const;
    [[nodiscard]] std::size_t placeAt(QPoint position) const;
    void markDrop(analysis::Table table, QPoint position);
    void makeCurrent(GraphPanel* panel);
    enum class Wish { Asked, Acted };
    /// Runs after the layout is complete. Does not scroll for mouse actions, so that nothing moves under the pointer.
    void revealSoon(GraphPanel& panel, Wish wish);
    void reveal(const GraphPanel& panel);
    /// Null: shows all graphs.
    void showAlone(GraphPanel* panel);
    void noteFocus(QWidget* now);

    std::unique_ptr<AnalysisState> state_;
    const TraceOnScreen& shown_;
    SeriesColors& colors_;
    QueryFunctions functions_;
    Presets* presets_ = nullptr;
    QList<QByteArray> splitterStates_;
    QLabel* nothing_;
    ZoomActions* zoom_;
    FindActions* find_ = nullptr;
    TimeFooter* footer_;
    QSplitter* splitter_;
    QScrollArea* scroll_; ///< around the splitter
    DropMark* dropMark_;
    std::vector<std::pair<const GraphState*, RowViewState>> closedRows_; ///< for tables of closed graphs
    GraphPanel* current_ = nullptr;
    GraphPanel* alone_ = nullptr; ///< the others are hidden
};

} // namespace highwater::ui
