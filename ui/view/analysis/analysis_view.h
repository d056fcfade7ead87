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

/// One analysis of one trace (a tab): graphs below each other that share the time axis. GUI thread only.
class AnalysisView : public QWidget {
    Q_OBJECT
  public:
    /// The trace and the colours must outlive it.
    AnalysisView(const TraceOnScreen& shown, SeriesColors& colors, QWidget* parent = nullptr,
                 QueryFunctions functions = {});
    ~AnalysisView() override;

    /// Own ones, too; new graphs start with the preferred one. They must outlive it.
    void setPresets(Presets& presets);

    [[nodiscard]] AnalysisState& state() { return *state_; }
    /// In the order on screen.
    [[nodiscard]] std::vector<GraphPanel*> panels() const;
    /// The graph that has, or last had, the focus; null when there is none.
    [[nodiscard]] GraphPanel* currentPanel() const { return current_; }
    /// Adds the graph at this place among the others, or, if it is there already, makes it the current one.
    GraphPanel& showGraph(analysis::Table table, std::optional<std::size_t> place = {});
    /// The graph that was closed last, as it was; false: there is none.
    bool reopenGraph();
    /// Scrolls to the current graph, for a page that is about it.
    void revealCurrent();
    /// How the splitters of its graphs stand; for graphs that come later, too.
    [[nodiscard]] QList<QByteArray> splitterStates() const;
    void setSplitterStates(const QList<QByteArray>& states);
    [[nodiscard]] QList<QAction*> zoomActions() const;
    /// The find actions of the current graph's table.
    [[nodiscard]] QList<QAction*> findActions() const;
    /// Every graph shows what the states ask for, all of the trace that was set.
    [[nodiscard]] bool isUpToDate() const;

  signals:
    void upToDate();
    void currentPanelChanged();
    /// By the user: reopenGraph() brings it back.
    void graphClosed();
    /// Frames of a stack came on screen, where there were none, or somebody asks about frames.
    void namesWanted();

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;
    /// The list of graphs has got another height.
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
    /// When all has its place. Who acts on a graph by mouse sees where: nothing moves under the hand.
    void revealSoon(GraphPanel& panel, Wish wish);
    void reveal(const GraphPanel& panel);
    /// Null: all are shown.
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
    std::vector<std::pair<const GraphState*, RowViewState>> closedRows_; ///< of tables of closed graphs
    GraphPanel* current_ = nullptr;
    GraphPanel* alone_ = nullptr; ///< the others are hidden
};

} // namespace highwater::ui
