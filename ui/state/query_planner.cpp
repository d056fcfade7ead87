#include "ui/state/query_planner.h"

#include "core/analysis/columns/column_specs.h"
#include "ui/state/table/annotation_rules.h"

#include <QMetaObject>

#include <algorithm>
#include <utility>

namespace highwater::ui {
namespace {

constexpr int kTableMs = 1000;

} // namespace

QueryPlanner::QueryPlanner(GraphState& graph, const TraceOnScreen& shown, QueryRunner& runner, QObject* parent)
    : QObject(parent), graph_(graph), analysis_(graph.analysis()), shown_(shown), runner_(runner) {
    connectState();
    connect(&shown_, &TraceOnScreen::changed, this, &QueryPlanner::follow);
    tableTimer_.setSingleShot(true);
    connect(&tableTimer_, &QTimer::timeout, this, [this] {
        sinceTable_.invalidate();
        plan(Table, Urgency::WhenIdle);
    });
    connectAnswers();
    if (shown_.trace()) plan(kEverything, Urgency::Now);
}

void QueryPlanner::connectAnswers() {
    connect(&runner_, &QueryRunner::tableAnswered, this, [this](const auto& answer) {
        rounds_ = 0;
        take(answer);
    });
    connect(&runner_, &QueryRunner::rowsAnswered, this, &QueryPlanner::take);
}

/// Rows that the user opened or selected during the query also have to be found in the answer.
void QueryPlanner::take(const std::shared_ptr<const TableAnswer>& answer) {
    if (keptVersion_ && answer->kept().version != keptVersion_() && rounds_++ < kMaxRounds) {
        return runner_.askRows({answer, rowViewState()});
    }
    runner_.cancelOpens(); // they belong to the previous answer
    emit tableReady(answer);
    if (std::exchange(arePaintedRenamed_, false) && !graph_.paintedRows().empty()) plan(Painted, Urgency::WhenIdle);
}

RowViewState QueryPlanner::rowViewState() const {
    auto kept = rowViewState_ ? rowViewState_() : RowViewState{};
    kept.painted = graph_.paintedRows();
    kept.seriesVersion = graph_.seriesVersion();
    kept.openedSeries = graph_.openedSeries();
    kept.closedSeries = graph_.closedSeries();
    kept.hiddenSeries = graph_.hiddenSeries();
    return kept;
}

void QueryPlanner::connectState() {
    connect(&analysis_, &AnalysisState::changed, this, [this](auto changes) {
        Parts parts;
        if (changes.testFlag(AnalysisState::VisibleRange)) parts |= Parts(Table) | Timeline | Painted;
        if (changes.testFlag(AnalysisState::Instant)) parts |= Parts(Table) | Painted;
        if (changes.testFlag(AnalysisState::Selection)) parts |= Totals;
        if (changes.testFlag(AnalysisState::Options)) parts |= kEverything;
        if (changes.testFlag(AnalysisState::Marks)) ++namesRevision_; // searches use the current names
        if (changes.testFlag(AnalysisState::Marks) && isOfMarks()) parts |= kEverything;
        if (changes.testFlag(AnalysisState::Instants) && graph_.table() == analysis::Table::Snapshot)
            parts |= kEverything;
        // A growing trace widens the range several times a second, which must not interrupt a running query.
        plan(parts, changes.testFlag(AnalysisState::WholeRange) ? Urgency::WhenIdle : Urgency::Now);
    });
    connect(&graph_, &GraphState::changed, this, [this](auto changes) {
        Parts parts;
        if (changes.testFlag(GraphState::Filter)) parts |= kEverything;
        if (changes.testFlag(GraphState::PaintedRows)) parts |= Painted;
        if (changes.testFlag(GraphState::Chart) && wantsTotal() && !totalAsked_) parts |= Timeline;
        if (changes.testFlag(GraphState::Chart) && wantsLifetimes() && !lifetimesAsked_) parts |= Timeline;
        if (changes.testFlag(GraphState::OpenedSeries) && areOtherSeries()) parts |= Timeline;
        if (changes.testFlag(GraphState::Chart) && measureShown_ != graph_.measure())
            parts |= Parts(Timeline) | Painted;
        if (changes.testFlag(GraphState::Layout)) {
            if (!(tableQueryShown_ == queryParts())) parts |= Table;
            if (annotationsShown_ != graph_.layout().annotations) parts |= kEverything;
            if (areOtherSeries()) parts |= Timeline;
            if (measureShown_ != graph_.measure()) parts |= Parts(Timeline) | Painted;
        }
        plan(parts, Urgency::Now);
    });
}

void QueryPlanner::follow(TraceOnScreen::Changes changes) {
    if (changes & (TraceOnScreen::NewTrace | TraceOnScreen::Cleared)) {
        runner_.cancelAll();
        sources_->clear();
        lines_->clear();
    }
    if (changes.testFlag(TraceOnScreen::Cleared)) tableTimer_.stop();
    if (changes.testFlag(TraceOnScreen::NewTrace)) plan(kEverything, Urgency::Now);
    if (changes.testFlag(TraceOnScreen::MoreOfIt)) plan(kEverything, Urgency::WhenIdle);
    if (changes.testFlag(TraceOnScreen::Names)) followNames();
    if (changes.testFlag(TraceOnScreen::Loading)) followLoading();
}

/// A table that waited for its interval is queried at once.
void QueryPlanner::followLoading() {
    if (shown_.isLoading() || !tableTimer_.isActive()) return;
    tableTimer_.stop();
    plan(Table, Urgency::WhenIdle);
}

bool QueryPlanner::tableMayWait() const {
    return shown_.isLoading() && urgency_ == Urgency::WhenIdle && sinceTable_.isValid() &&
           sinceTable_.elapsed() < kTableMs;
}

void QueryPlanner::askTable() {
    if (tableMayWait()) {
        if (!tableTimer_.isActive()) tableTimer_.start(kTableMs - static_cast<int>(sinceTable_.elapsed()));
        return;
    }
    tableTimer_.stop();
    sinceTable_.start();
    tableQueryShown_ = queryParts();
    runner_.askTable({trace(), labels(), tableQuery(), rowViewState(), sources_}, urgency_);
}

void QueryPlanner::setRowViewState(std::function<RowViewState()> rowViewState, std::function<std::uint64_t()> version) {
    rowViewState_ = std::move(rowViewState);
    keptVersion_ = std::move(version);
}

/// Repeats queries that show frames or filter by them.
void QueryPlanner::followNames() {
    ++namesRevision_;
    arePaintedRenamed_ = true;
    Parts parts = Table;
    const auto keys = seriesKeys();
    const bool areSeriesLabelled = std::ranges::find(keys, analysis::Column::Annotation) != keys.end();
    const bool areSeriesFrames = std::ranges::any_of(keys, analysis::isStack);
    if (isFilteredByFrames()) parts |= Parts(Timeline) | Totals;
    if (areSeriesLabelled && dependOnNames(graph_.layout().annotations)) parts |= Timeline;
    if (wantsLifetimes() || areSeriesFrames) parts |= Timeline; // they contain function names
    plan(parts, Urgency::WhenIdle);
}

/// Whether the series differ from those last requested.
bool QueryPlanner::areOtherSeries() const {
    return seriesShown_ != graph_.seriesColumn() || openingShown_ != graph_.opening();
}

/// Columns that can group the lines.
std::vector<analysis::Column> QueryPlanner::seriesKeys() const {
    if (!graph_.seriesColumn()) return {};
    auto opening = graph_.opening();
    opening.keys.resize(opening.keysRead());
    return opening.keys;
}

bool QueryPlanner::isOfMarks() const {
    const auto ofMarks = [](analysis::Column column) { return analysis::specOf(column).isOfMarks; };
    const auto hasStep = [&](const analysis::KeyPath& path) {
        return std::any_of(path.begin(), path.end(), [&](const auto& step) { return ofMarks(step.column); });
    };
    const auto parts = queryParts();
    const auto series = seriesKeys();
    const auto& painted = graph_.paintedRows();
    // A query is text and a filter's steps store no names, so filters by marks have to be queried again.
    return std::ranges::any_of(series, ofMarks) || graph_.filter().hasConditions() ||
           std::any_of(parts.keys.begin(), parts.keys.end(), ofMarks) ||
           std::any_of(parts.columns.begin(), parts.columns.end(), [&](auto by) { return ofMarks(by.column); }) ||
           std::any_of(parts.sort.begin(), parts.sort.end(), [&](const auto& by) { return ofMarks(by.column); }) ||
           std::any_of(painted.begin(), painted.end(), hasStep) ||
           std::any_of(graph_.filter().clauses.begin(), graph_.filter().clauses.end(), [&](const auto& clause) {
               return std::any_of(clause.anyOf.begin(), clause.anyOf.end(), hasStep);
           });
}

bool QueryPlanner::isFilteredByFrames() const {
    const auto& filter = graph_.filter();
    const auto hasFrames = [](const analysis::KeyPath& path) {
        return std::any_of(path.begin(), path.end(), [](const auto& step) {
            return analysis::showsNames(step.column) || step.column == analysis::Column::Annotation;
        });
    };
    return filter.hasConditions() || std::any_of(filter.clauses.begin(), filter.clauses.end(), [&](const auto& clause) {
               return std::any_of(clause.anyOf.begin(), clause.anyOf.end(), hasFrames);
           });
}

void QueryPlanner::setTimelinePoints(int points) {
    const auto wanted = static_cast<std::uint32_t>(std::max(points, 1));
    if (wanted == points_) return;
    points_ = wanted;
    plan(Parts(Timeline) | Painted, Urgency::WhenIdle);
}

void QueryPlanner::plan(Parts parts, Urgency urgency) {
    if (!parts) return;
    pending_ |= parts;
    if (urgency == Urgency::Now) urgency_ = Urgency::Now;
    if (std::exchange(planned_, true)) return;
    QMetaObject::invokeMethod(this, &QueryPlanner::ask, Qt::QueuedConnection);
}

void QueryPlanner::ask() {
    planned_ = false;
    annotationsShown_ = graph_.layout().annotations;
    if (trace()) {
        // Before the table, because rough lines have a head start.
        if (pending_.testFlag(Timeline)) {
            seriesShown_ = graph_.seriesColumn();
            openingShown_ = graph_.opening();
            measureShown_ = graph_.measure();
            totalAsked_ = wantsTotal();
            lifetimesAsked_ = wantsLifetimes();
            runner_.askTimeline(
                {trace(), labels(), timelineQuery(), totalAsked_, lifetimesAsked_, lines_, shown_.traceNotes()},
                urgency_);
        }
        if (pending_.testFlag(Table)) askTable();
        if (pending_.testFlag(Painted)) askPainted();
        if (pending_.testFlag(Totals)) askTotalsOfSelection();
    }
    pending_ = {};
    urgency_ = Urgency::WhenIdle;
}

QueryPlanner::QueryParts QueryPlanner::queryParts() const {
    const auto& layout = graph_.layout();
    return {layout.keyColumns(), layout.valueColumns(), layout.sort};
}

analysis::Query QueryPlanner::tableQuery() const {
    const auto& layout = graph_.layout();
    analysis::Query query;
    query.table = layout.table;
    // Snapshots are instants: viewing another one does not invalidate any.
    const bool isOfSnapshots = layout.table == analysis::Table::Snapshot;
    query.interval = isOfSnapshots && analysis_.instant() ? analysis_.visibleRange() : analysis_.tableRange();
    query.keys = layout.keyColumns();
    query.columns = layout.valueColumns();
    query.sort = layout.sort;
    query.filter = graph_.filter();
    query.processExitFreesHeap = analysis_.options().processExitFreesHeap;
    query.allocatorFrames = analysis_.options().allocatorFrames;
    query.marks = analysis_.marks();
    query.instances.added = analysis_.instants();
    query.annotations = std::make_shared<const analysis::Annotations>(layout.annotations);
    return query;
}

analysis::TimelineQuery QueryPlanner::timelineQuery() const {
    analysis::TimelineQuery query;
    query.table = graph_.table();
    query.interval = analysis_.visibleRange();
    query.points = points_;
    query.by = graph_.seriesColumn();
    query.opening = graph_.opening();
    query.maxSeries = kMaxSeries;
    query.filter = graph_.filter();
    query.processExitFreesHeap = analysis_.options().processExitFreesHeap;
    query.allocatorFrames = analysis_.options().allocatorFrames;
    query.annotations = std::make_shared<const analysis::Annotations>(graph_.layout().annotations);
    query.measure = graph_.measure();
    query.marks = analysis_.marks();
    query.instances.added = analysis_.instants();
    if (query.measure == analysis::TimelineMeasure::NewBytes) {
        query.by.reset();
        query.opening = {};
        query.points = std::clamp(points_ / kPixelsPerBar, kFewestBars, kMostBars);
    }
    return query;
}

/// Released amounts of a slice add up; peaks do not.
bool QueryPlanner::wantsTotal() const {
    return graph_.chart() != ChartType::Line && !wantsLifetimes() && !isFlames(graph_.chart()) &&
           analysis::hasLevels(graph_.table()) && graph_.measure() != analysis::TimelineMeasure::NewBytes;
}

// While an instant is shown, Type and Impacting Type of a row refer to that instant, in which nearly everything is
// Persistent. The graph shows the visible range, so there the other keys identify the row.
std::vector<analysis::KeyPath> QueryPlanner::paintedRows() const {
    auto rows = graph_.paintedRows();
    if (rows.size() > kMaxPainted) rows.resize(kMaxPainted);
    if (!analysis_.instant()) return rows;
    for (auto& row : rows) {
        std::erase_if(row, [&](const analysis::KeyStep& step) {
            return analysis::isOfInterval(step.column, graph_.layout().annotations);
        });
    }
    std::erase_if(rows, [](const analysis::KeyPath& row) { return row.empty(); });
    return rows;
}

void QueryPlanner::askPainted() {
    auto rows = paintedRows();
    if (rows.empty()) return runner_.cancelPainted();
    runner_.askPainted({trace(), labels(), timelineQuery(), std::move(rows)}, urgency_);
}

void QueryPlanner::askRowAt(TimeRange slice, const analysis::KeyPath& series) {
    if (trace()) runner_.askRowAt({trace(), labels(), tableQuery(), slice, series});
}

void QueryPlanner::askRowOf(const analysis::KeyPath& function) {
    if (trace()) runner_.askRowAt({trace(), labels(), tableQuery(), {}, {}, function});
}

void QueryPlanner::askTotalsOfSelection() {
    const auto selection = analysis_.selection();
    if (!selection) return;
    auto query = tableQuery();
    const bool isFrees = !analysis::hasLevels(graph_.table());
    query.interval = *selection;
    query.keys.clear();
    query.sort.clear();
    query.columns = {isFrees ? analysis::Column::Size : analysis::Column::ImpactingSize};
    runner_.askTotals({trace(), labels(), std::move(query), {}}, urgency_);
}

} // namespace highwater::ui

#include "moc_query_planner.cpp"
