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

/// Turns what a graph looks at into questions: whenever its state, that of its analysis, or the trace changes, asks the
/// runner what has to be asked again, once per turn of the event loop. The table follows the zoom, the graph follows
/// the filter. GUI thread only.
class QueryPlanner : public QObject {
    Q_OBJECT
  public:
    /// Lines of a graph, and of each group that is opened in it; the rest is one line "(N more)".
    static constexpr std::uint32_t kMaxSeries = 8;

    /// Slices of ChartType::NewBytes, a bar each: as few and as many as WPA's bars have, of so many pixels.
    static constexpr std::uint32_t kFewestBars = 4, kMostBars = 100, kPixelsPerBar = 14;

    /// Selected rows that are painted in the graph; more would not be told apart.
    static constexpr std::size_t kMaxPainted = 8;

    /// All of them outlive it. More of the same trace, and names, only ask when the runner is idle. While a trace is
    /// loading, its table is asked again at most once a second: rows that move cannot be read. What the reader asks for
    /// is asked at once.
    QueryPlanner(GraphState& graph, const TraceOnScreen& shown, QueryRunner& runner, QObject* parent = nullptr);

    /// The table has not been asked yet what it is to show now.
    [[nodiscard]] bool tableWaits() const { return tableTimer_.isActive() || pending_.testFlag(Table); }
    /// Where to ask which rows the reader has open and keeps, and for their RowViewState::version alone.
    void setRowViewState(std::function<RowViewState()> rowViewState, std::function<std::uint64_t()> version);
    /// Grows whenever functions have got, or lost, names.
    [[nodiscard]] std::uint64_t namesRevision() const { return namesRevision_; }
    /// One slice of the timeline per pixel.
    void setTimelinePoints(int points);

    /// What the table, and the graph, are to show now.
    [[nodiscard]] analysis::Query tableQuery() const;
    [[nodiscard]] analysis::TimelineQuery timelineQuery() const;
    /// Rows of the table that are to be painted now, as they are asked for.
    [[nodiscard]] std::vector<analysis::KeyPath> paintedRows() const;
    /// Looks up which row is meant by this place of the graph: QueryRunner::rowFound.
    void askRowAt(TimeRange slice, const analysis::KeyPath& series);
    [[nodiscard]] const std::shared_ptr<const store::PublishedTrace>& trace() const { return shown_.trace(); }
    [[nodiscard]] const std::shared_ptr<analysis::FrameLabels>& labels() const { return shown_.labels(); }
    [[nodiscard]] const TraceOnScreen& shown() const { return shown_; }
    [[nodiscard]] const GraphState& graph() const { return graph_; }

  signals:
    /// The table's answer, with the rows that the reader keeps by now.
    void tableReady(std::shared_ptr<const highwater::ui::TableAnswer> answer);

  private:
    /// A reader who selects faster than that loses what was selected last.
    static constexpr int kMaxRounds = 3;

    /// What has to be asked again.
    enum Part { Table = 1, Timeline = 2, Totals = 4, Painted = 8 };
    Q_DECLARE_FLAGS(Parts, Part)
    static constexpr Parts kEverything = Parts(Table) | Timeline | Totals | Painted;

    /// The parts of a layout that change the answer of a table (widths, formats and bars do not).
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
    /// What is asked depends on the marks.
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
    bool arePaintedRenamed_ = false; ///< to be asked again when it is known what they are called
    int rounds_ = 0;                 ///< in which the rows of an answer were asked for again
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
    QTimer tableTimer_; ///< runs while the table waits for its second
};

} // namespace highwater::ui
