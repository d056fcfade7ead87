#pragma once

#include "core/analysis/rows/instances.h"
#include "core/base/units.h"
#include "core/event/trace_notes.h"
#include "ui/state/analysis_options.h"
#include "ui/state/graph_state.h"

#include <QFlags>
#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace highwater::ui {

/// How a zoom is remembered: as a step of its own, or as more of the last one (the notches of a wheel).
enum class ZoomStep { Own, Continued };

/// What one analysis (a tab) looks at: whole range >= visible range >= selection, and its graphs, which share them.
/// Everything that shows or changes it binds to this; none of them knows another. GUI thread only.
///
/// Zooms, filters of all graphs and the instant share one history: back() and forward() walk it, historyLabels() are
/// its breadcrumbs. Columns have an undo of their own in each graph, so that a sort does not come between two zooms.
class AnalysisState : public QObject {
    Q_OBJECT
  public:
    enum Change {
        WholeRange = 1,
        VisibleRange = 2,
        Selection = 4,
        Highlight = 8,
        Instant = 16,
        History = 32,
        Graphs = 64,
        Options = 128,
        Following = 256,
        Marks = 512,
        Instants = 1024
    };
    Q_DECLARE_FLAGS(Changes, Change)

    /// Shorter ranges are widened to this when zooming: a range always has a pixel for every point.
    static constexpr std::int64_t kShortestZoomNs = 1'000;

    explicit AnalysisState(QObject* parent = nullptr);
    ~AnalysisState() override;

    /// A new trace: everything but the graphs and their layouts starts anew.
    void reset(TimeRange wholeRange);
    /// The same trace has grown. An unzoomed view grows along.
    void growTo(TimeRange wholeRange);

    /// While on, a zoomed view that shows the end stays at the end of a trace that grows. Whoever moves the view away
    /// from the end turns it off.
    [[nodiscard]] bool followsEnd() const { return followsEnd_; }
    void setFollowsEnd(bool follows);

    [[nodiscard]] TimeRange wholeRange() const { return whole_; }
    [[nodiscard]] TimeRange visibleRange() const { return look_.visible; }
    [[nodiscard]] bool isZoomed() const { return !(look_.visible == whole_); }
    void zoomTo(TimeRange range, ZoomStep step = ZoomStep::Own);
    /// Whether the last step was a zoom that the next one may continue.
    [[nodiscard]] bool continuesZoom() const { return continuing_; }
    /// Moves the visible range without changing its length.
    void panBy(std::int64_t ns);
    void showAll() { zoomTo(whole_); }

    [[nodiscard]] std::optional<TimeRange> selection() const { return selection_; }
    /// Clipped to the whole range; an empty range clears it.
    void select(TimeRange range);
    void clearSelection();
    void zoomToSelection();

    /// A range that stays painted in every graph until it is cleared.
    [[nodiscard]] std::optional<TimeRange> highlight() const { return highlight_; }
    void highlightSelection();
    void clearHighlight();

    /// Named instants, in the order of time; never null.
    [[nodiscard]] const std::shared_ptr<const std::vector<Mark>>& marks() const { return marks_; }
    void setMarks(std::shared_ptr<const std::vector<Mark>> marks);
    /// What is made a heap snapshot beside those of the trace.
    [[nodiscard]] const analysis::SharedInstants& instants() const { return instants_; }
    void setInstants(analysis::SharedInstants instants);
    /// Brings an instant into the middle: a zoomed view keeps its length, another one shows a tenth of the trace.
    void goToTime(TraceTime time);

    /// While set, tables show what is outstanding at this instant instead of the visible range.
    [[nodiscard]] std::optional<TraceTime> instant() const { return look_.instant; }
    void showInstant(TraceTime time);
    void clearInstant();
    /// What tables are asked about: the instant (as the shortest range), else the visible range.
    [[nodiscard]] TimeRange tableRange() const;

    [[nodiscard]] bool canGoBack() const { return position_ > 0; }
    [[nodiscard]] bool canGoForward() const { return position_ + 1 < steps_.size(); }
    void back() { goTo(position_ - 1); }
    void forward() { goTo(position_ + 1); }
    /// Positions from 0 (nothing zoomed, nothing filtered); out of range: nothing happens.
    void goTo(std::size_t position);
    [[nodiscard]] std::size_t historyPosition() const { return position_; }
    /// What each step did ("14.000 s to 16.000 s", "Process = app.exe (1)"); the first is the whole trace.
    [[nodiscard]] QStringList historyLabels() const;

    /// In the order in which they stand below each other. Pointers stay valid until removeGraph.
    [[nodiscard]] std::vector<GraphState*> graphs() const;
    GraphState& addGraph(analysis::Table table);
    void removeGraph(GraphState& graph);
    /// The same, but reopenGraph() brings it back as it was: the newest of kMostClosed first, until a new trace comes.
    void closeGraph(GraphState& graph);
    /// Null: none was closed.
    GraphState* reopenGraph();
    static constexpr std::size_t kMostClosed = 8;
    void moveGraph(GraphState& graph, std::size_t position);

    [[nodiscard]] const AnalysisOptions& options() const { return options_; }
    void setOptions(AnalysisOptions options);

  signals:
    void changed(highwater::ui::AnalysisState::Changes changes);

  private:
    friend class GraphState;
    using FilterOfGraph = std::pair<int, std::vector<FilterStep>>; ///< GraphState::id
    struct Look {
        TimeRange visible = {};
        std::optional<TraceTime> instant = {};
        std::vector<FilterOfGraph> filters = {};
    };
    struct Step {
        enum class Kind { Zoom, Instant, Filter };
        Kind kind = Kind::Zoom;
        Look look = {};
        int graph = 0;            ///< of Kind::Filter: GraphState::id
        FilterChange filter = {}; ///< of Kind::Filter
    };
    [[nodiscard]] TimeRange clipped(TimeRange range) const;
    /// A graph has changed its filter: a step of the history.
    void noteFilter(GraphState& graph, const FilterChange& change, const std::vector<FilterStep>& before);
    /// The filter of a graph at a step of the history, which may be older than the graph.
    [[nodiscard]] static std::vector<FilterStep> filterOf(const GraphState& graph, const Look& look);
    /// A step of the filter of a graph is called otherwise.
    void renameFilter(int graph, const FilterStep& step, const QString& text);
    void record(Step step, bool continues = false);
    [[nodiscard]] QString labelOf(const Step& step) const;
    Changes dropSelection();
    /// Without a step in the history.
    Changes slideToEnd();
    Changes pauseFollowing();
    [[nodiscard]] std::vector<FilterOfGraph> currentFilters() const;

    TimeRange whole_;
    bool followsEnd_ = false;
    Look look_; ///< without the filters, which the graphs have
    std::optional<TimeRange> selection_;
    std::optional<TimeRange> highlight_;
    std::shared_ptr<const std::vector<Mark>> marks_ = std::make_shared<const std::vector<Mark>>();
    analysis::SharedInstants instants_;
    std::vector<Step> steps_;
    std::size_t position_ = 0;
    bool continuing_ = false; ///< the last step was a zoom that may be continued
    AnalysisOptions options_;
    std::vector<std::unique_ptr<GraphState>> graphs_;
    struct ClosedGraph {
        std::unique_ptr<GraphState> graph;
        std::size_t place = 0;
    };
    std::vector<ClosedGraph> closed_; ///< the newest last
    int nextGraphId_ = 0;
};

Q_DECLARE_OPERATORS_FOR_FLAGS(AnalysisState::Changes)

} // namespace highwater::ui
