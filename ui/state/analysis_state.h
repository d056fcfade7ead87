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

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace highwater::ui {

/// A zoom is a new step of the history, or continues the last one (mouse wheel).
enum class ZoomStep { Own, Continued };

/// State of one analysis (a tab): whole range >= visible range >= selection, and its graphs, which share them. All
/// views and controls bind to this class and do not depend on each other. GUI thread only.
///
/// Zooms, filters of all graphs, presets and the instant share one history: back() and forward() step through it, and
/// historyLabels() returns its breadcrumbs. Each graph has a separate undo for columns, so that a sort does not come
/// between two zooms.
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

    /// Zooming widens shorter ranges to this, so that each point has a pixel.
    static constexpr std::int64_t kShortestZoomNs = 1'000;

    explicit AnalysisState(QObject* parent = nullptr);
    ~AnalysisState() override;

    /// Starts a new trace: resets everything except the graphs and their layouts.
    void reset(TimeRange wholeRange);
    /// The same trace has grown. An unzoomed view grows with it.
    void growTo(TimeRange wholeRange);

    /// While on, a zoomed view at the end stays at the end of a growing trace. Moving the view away from the end turns
    /// it off.
    [[nodiscard]] bool followsEnd() const { return followsEnd_; }
    void setFollowsEnd(bool follows);

    [[nodiscard]] TimeRange wholeRange() const { return whole_; }
    [[nodiscard]] TimeRange visibleRange() const { return look_.visible; }
    [[nodiscard]] bool isZoomed() const { return !(look_.visible == whole_); }
    void zoomTo(TimeRange range, ZoomStep step = ZoomStep::Own);
    /// Whether the last step was a zoom that the next zoom may continue.
    [[nodiscard]] bool continuesZoom() const { return continuing_; }
    /// Moves the visible range without changing its length.
    void panBy(std::int64_t ns);
    void showAll() { zoomTo(whole_); }

    [[nodiscard]] std::optional<TimeRange> selection() const { return selection_; }
    /// Clipped to the whole range; an empty range clears it.
    void select(TimeRange range);
    void clearSelection();
    void zoomToSelection();

    /// A range that is painted in every graph until it is cleared.
    [[nodiscard]] std::optional<TimeRange> highlight() const { return highlight_; }
    void highlightSelection();
    void clearHighlight();

    /// Marks in order of time; never null.
    [[nodiscard]] const std::shared_ptr<const std::vector<Mark>>& marks() const { return marks_; }
    void setMarks(std::shared_ptr<const std::vector<Mark>> marks);
    /// Instants shown as heap snapshots in addition to those of the trace.
    [[nodiscard]] const analysis::SharedInstants& instants() const { return instants_; }
    void setInstants(analysis::SharedInstants instants);
    /// Centers the view on an instant. A zoomed view keeps its length; otherwise a tenth of the trace is shown.
    void goToTime(TraceTime time);

    /// While set, tables show the memory outstanding at this instant instead of the visible range.
    [[nodiscard]] std::optional<TraceTime> instant() const { return look_.instant; }
    void showInstant(TraceTime time);
    void clearInstant();
    /// The interval of table queries: the instant (as the shortest range), otherwise the visible range.
    [[nodiscard]] TimeRange tableRange() const;

    /// Makes `change`, which gives the graph another layout or preset, one step of the history with this label.
    void changeShape(GraphState& graph, const QString& label, const std::function<void()>& change);
    [[nodiscard]] bool canGoBack() const { return position_ > 0; }
    [[nodiscard]] bool canGoForward() const { return position_ + 1 < steps_.size(); }
    void back() { goTo(position_ - 1); }
    void forward() { goTo(position_ + 1); }
    /// Positions start at 0 (no zoom, no filter); a position out of range has no effect.
    void goTo(std::size_t position);
    [[nodiscard]] std::size_t historyPosition() const { return position_; }
    /// Description of each step ("14.000 s to 16.000 s", "Process = app.exe (1)"); the first is the whole trace.
    [[nodiscard]] QStringList historyLabels() const;

    /// From top to bottom. Pointers stay valid until removeGraph.
    [[nodiscard]] std::vector<GraphState*> graphs() const;
    GraphState& addGraph(analysis::Table table);
    void removeGraph(GraphState& graph);
    /// The same, but reopenGraph() restores it: the newest of kMostClosed first, until a new trace is opened.
    void closeGraph(GraphState& graph);
    /// Null: no graph was closed.
    GraphState* reopenGraph();
    static constexpr std::size_t kMostClosed = 8;
    void moveGraph(GraphState& graph, std::size_t position);

    [[nodiscard]] const AnalysisOptions& options() const { return options_; }
    void setOptions(AnalysisOptions options);

  signals:
    void changed(highwater::ui::AnalysisState::Changes changes);
    /// The user went back or forward in the history. Before changed().
    void wentInHistory();

  private:
    friend class GraphState;
    using FilterOfGraph = std::pair<int, std::vector<FilterStep>>; ///< GraphState::id
    struct Look {
        TimeRange visible = {};
        std::optional<TraceTime> instant = {};
        std::vector<FilterOfGraph> filters = {};
    };
    struct Step {
        enum class Kind { Zoom, Instant, Filter, Shape };
        Kind kind = Kind::Zoom;
        Look look = {};
        int graph = 0;            ///< for Kind::Filter and Kind::Shape: GraphState::id
        FilterChange filter = {}; ///< for Kind::Filter
        QString label = {};       ///< for Kind::Shape, like the next two
        GraphState::Shape before = {}, after = {};
    };
    [[nodiscard]] TimeRange clipped(TimeRange range) const;
    /// Records a graph's filter change as a history step.
    void noteFilter(GraphState& graph, const FilterChange& change, const std::vector<FilterStep>& before);
    /// The filter of a graph at a history step, which may be older than the graph.
    [[nodiscard]] static std::vector<FilterStep> filterOf(const GraphState& graph, const Look& look);
    /// Renames a step of a graph's filter.
    void renameFilter(int graph, const FilterStep& step, const QString& text);
    void record(Step step, bool continues = false);
    /// Gives graphs their layouts at a step of the history.
    void restoreShapes(std::size_t position);
    [[nodiscard]] QString labelOf(const Step& step) const;
    Changes dropSelection();
    /// Does not add a history step.
    Changes slideToEnd();
    Changes pauseFollowing();
    [[nodiscard]] std::vector<FilterOfGraph> currentFilters() const;

    TimeRange whole_;
    bool followsEnd_ = false;
    Look look_; ///< without the filters, which the graphs store
    std::optional<TimeRange> selection_;
    std::optional<TimeRange> highlight_;
    std::shared_ptr<const std::vector<Mark>> marks_ = std::make_shared<const std::vector<Mark>>();
    analysis::SharedInstants instants_;
    std::vector<Step> steps_;
    std::size_t position_ = 0;
    bool continuing_ = false; ///< the last step was a zoom that can be continued
    AnalysisOptions options_;
    std::vector<std::unique_ptr<GraphState>> graphs_;
    struct ClosedGraph {
        std::unique_ptr<GraphState> graph;
        std::size_t place = 0;
    };
    std::vector<ClosedGraph> closed_; ///< newest last
    int nextGraphId_ = 0;
};

Q_DECLARE_OPERATORS_FOR_FLAGS(AnalysisState::Changes)

} // namespace highwater::ui
