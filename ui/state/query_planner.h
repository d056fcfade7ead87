#pragma once

#include "ui/state/analysis_state.h"
#include "ui/state/graph_state.h"
#include "ui/state/query_runner.h"
#include "ui/state/table_sources.h"
#include "ui/state/timeline_answers.h"
#include "ui/state/trace_on_screen.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace highwater::ui {

/// Turns the state of a graph into queries: when the graph, its analysis or the trace changes, runs the affected
/// queries once per event loop turn. The table follows the zoom, the graph follows the filter. GUI thread only.
class QueryPlanner : public QObject {
    Q_OBJECT
  public:
    /// Maximum number of lines of a graph, and of each opened group; the rest is one line "(N more)".
    static constexpr std::uint32_t kMaxSeries = 8;

    /// Slices of ChartType::NewBytes, one bar each: the same limits as WPA, and pixels per bar.
    static constexpr std::uint32_t kFewestBars = 4, kMostBars = 100, kPixelsPerBar = 14;

    /// Maximum number of selected rows painted in the graph; more could not be distinguished.
    static constexpr std::size_t kMaxPainted = 8;

    /// All arguments must outlive this object. More of the same trace, and names, query only when the runner is idle.
    /// While a trace is loading, its table is queried at most once a second, because moving rows cannot be read. User
    /// actions query at once.
    QueryPlanner(GraphState& graph, const TraceOnScreen& shown, QueryRunner& runner, QObject* parent = nullptr);

    /// Whether the table's current query has not been sent yet.
    [[nodiscard]] bool tableWaits() const { return tableTimer_.isActive() || pending_.testFlag(Table); }
    /// Callbacks for the rows that the user has open and selected, and for their RowViewState::version only.
    void setRowViewState(std::function<RowViewState()> rowViewState, std::function<std::uint64_t()> version);
    /// Increases whenever functions gain or lose names.
    [[nodiscard]] std::uint64_t namesRevision() const { return namesRevision_; }
    /// One slice of the timeline per pixel.
    void setTimelinePoints(int points);

    /// The current queries of table and graph.
    [[nodiscard]] analysis::Query tableQuery() const;
    [[nodiscard]] analysis::TimelineQuery timelineQuery() const;
    /// The rows of the table to paint, as used in the query.
    [[nodiscard]] std::vector<analysis::KeyPath> paintedRows() const;
    /// Finds the row at this place of the graph: QueryRunner::rowFound.
    void askRowAt(TimeRange slice, const analysis::KeyPath& series);
    /// Finds the row of the function at the end of this path, whose keys may be others than the table's.
    void askRowOf(const analysis::KeyPath& function);
    [[nodiscard]] const std::shared_ptr<const store::PublishedTrace>& trace() const { return shown_.trace(); }
    [[nodiscard]] const std::shared_ptr<analysis::FrameLabels>& labels() const { return shown_.labels(); }
    [[nodiscard]] const TraceOnScreen& shown() const { return shown_; }
    [[nodiscard]] const GraphState& graph() const { return graph_; }

  signals:
    /// The table's answer, with the user's current rows.
    void tableReady(std::shared_ptr<const highwater::ui::TableAnswer> answer);

  private:
    /// If the user keeps selecting faster than this, the last selection is lost.
    static constexpr int kMaxRounds = 3;

    /// Parts to query again.
    enum Part { Table = 1, Timeline = 2, Totals = 4, Painted = 8 };
    Q_DECLARE_FLAGS(Parts, Part)
    static constexpr Parts kEverything = Parts(Table) | Timeline | Totals | Painted;

    /// Layout parts that affect the table's answer (widths, formats and bars do not).
    struct QueryParts {
        std::vector<analysis::Column> keys;
        std::vector<analysis::ValueColumn> columns;
        std::vector<analysis::SortKey> sort;
        friend bool operator==(const QueryParts&, const QueryParts&) = default;
    };

    void connectState();
    void connectAnswers();
    void follow(TraceOnScreen::Changes changes);
    void followNames();
    void followLoading();
    void take(const std::shared_ptr<const TableAnswer>& answer);
    [[nodiscard]] RowViewState rowViewState() const;
    [[nodiscard]] bool isFilteredByFrames() const;
    [[nodiscard]] bool areOtherSeries() const;
    [[nodiscard]] std::vector<analysis::Column> seriesKeys() const;
    /// Whether the queries depend on the marks.
    [[nodiscard]] bool isOfMarks() const;
    [[nodiscard]] QueryParts queryParts() const;
    void plan(Parts parts, Urgency urgency);
    void ask();
    void askTable();
    [[nodiscard]] bool tableMayWait() const;
    void askTotalsOfSelection();
    void askPainted();
    [[nodiscard]] bool wantsTotal() const;
    [[nodiscard]] bool wantsLifetimes() const {
        return graph_.chart() == ChartType::Lifetimes && !graph_.showsInstances();
    }

    GraphState& graph_;
    AnalysisState& analysis_;
    const TraceOnScreen& shown_;
    QueryRunner& runner_;
    std::shared_ptr<TableSources> sources_ = std::make_shared<TableSources>();
    std::shared_ptr<TimelineAnswers> lines_ = std::make_shared<TimelineAnswers>();
    std::function<RowViewState()> rowViewState_;
    std::function<std::uint64_t()> keptVersion_;
    std::uint64_t namesRevision_ = 0;
    bool arePaintedRenamed_ = false; ///< query again when their names are known
    int rounds_ = 0;                 ///< number of times that the rows of an answer were requested again
    QueryParts tableQueryShown_;
    analysis::Annotations annotationsShown_;
    std::optional<analysis::Column> seriesShown_;
    analysis::GroupOpening openingShown_;
    analysis::TimelineMeasure measureShown_ = analysis::TimelineMeasure::Bytes;
    bool totalAsked_ = false;
    bool lifetimesAsked_ = false;
    std::uint32_t points_ = 1000;
    Parts pending_;
    Urgency urgency_ = Urgency::WhenIdle;
    bool planned_ = false;
    QElapsedTimer sinceTable_;
    QTimer tableTimer_; ///< active while the table waits for its interval
};

} // namespace highwater::ui
