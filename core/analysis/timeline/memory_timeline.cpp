#include "core/analysis/timeline/memory_timeline.h"

#include "core/analysis/columns/trace_lacks.h"
#include "core/analysis/rows/interval_rows.h"
#include "core/analysis/sweeps/order_index.h"
#include "core/analysis/sweeps/slice_levels.h"
#include "core/analysis/timeline/new_bytes.h"
#include "core/analysis/timeline/timeline_groups.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

bool isWholeTable(const TimelineQuery& query) {
    const bool endsChange = query.processExitFreesHeap && query.table == Table::Heap;
    return hasLevels(query.table) && query.measure == TimelineMeasure::Bytes && !query.by && query.filter.isEmpty() &&
           !endsChange;
}

/// Edges of slices. For levels, the last slice has length 0 and contains the amounts at the end.
struct Slices {
    std::vector<TraceTime> edges;
    bool isOfLevels = false;
};

/// Corrects the interval and points, and computes the slices.
TimelineQuery sliced(TimelineQuery query, Slices& slices, Timeline& timeline) {
    query.points = std::max(query.points, 1u);
    query.interval.end = std::max(query.interval.start, query.interval.end);
    slices.edges = sliceEdges(query.interval, query.points);
    timeline.interval = query.interval;
    timeline.starts.assign(slices.edges.begin(), slices.edges.end() - 1);
    slices.isOfLevels = hasLevels(query.table) && query.measure != TimelineMeasure::NewBytes;
    if (slices.isOfLevels) slices.edges.push_back(slices.edges.back());
    return query;
}

void takeEnds(const Slices& slices, Timeline& timeline) {
    for (auto& series : timeline.series) {
        if (!slices.isOfLevels) break;
        series.atEnd = series.peaks.back();
        series.peaks.pop_back();
    }
}

/// Sums of sizes do not wrap around, so no part exceeds the whole.
bool isBoundedByWhole(const store::TableView& view) {
    const auto& wide = view.columns->rows.wideSizes();
    return wide.size() == 0 || wide[0].row >= view.rows;
}

} // namespace

Result<Timeline> computeTimeline(const store::PublishedTrace& trace, FrameLabels& labels, const TimelineQuery& query,
                                 std::stop_token stop) {
    if (auto refused = whyNoAnswer(AnswerKind::Timeline, trace.lacks)) return *std::move(refused);
    if (query.by && isAggregate(*query.by)) {
        return Error{ErrorKind::Usage,
                     "A timeline needs a key column, not \"" + std::string(columnName(query.table, *query.by)) + "\"."};
    }
    Slices slices;
    Timeline timeline;
    const auto exact = sliced(query, slices, timeline);
    const auto& edges = slices.edges;
    if (isWholeTable(exact)) {
        const auto kind = rowsOf(exact.table);
        timeline.series.push_back(TimelineSeries{"Total", 0, false, OrderIndex(trace.table(kind)).peaks(edges)});
    } else {
        auto series =
            TRY(exact.measure == TimelineMeasure::NewBytes ? newBytesOf(trace, labels, exact, edges, stop)
                                                           : seriesOfGroups(trace, labels, exact, edges, stop));
        timeline.series = std::move(series);
    }
    if (exact.opening.withTotal) timeline.series.front().canOpen = exact.measure != TimelineMeasure::NewBytes;
    takeEnds(slices, timeline);
    return timeline;
}

std::optional<Timeline> coarseTimeline(const store::PublishedTrace& trace, FrameLabels& labels,
                                       const TimelineQuery& query, const std::stop_token& stop) {
    if (!hasLevels(query.table) || query.measure == TimelineMeasure::NewBytes || isWholeTable(query)) return {};
    if (query.by && isAggregate(*query.by)) return {};
    if (whyNoAnswer(AnswerKind::Timeline, trace.lacks)) return {}; // no exact answer would follow
    Slices slices;
    Timeline timeline;
    timeline.isCoarse = true;
    const auto exact = sliced(query, slices, timeline);
    auto series = coarseSeriesOfGroups(trace, labels, exact, slices.edges, stop);
    if (series.hasValue()) timeline.series = std::move(series).value();
    if (timeline.series.empty()) {
        const auto& view = trace.table(rowsOf(exact.table));
        if (exact.measure != TimelineMeasure::Bytes || !isBoundedByWhole(view) || stop.stop_requested()) return {};
        timeline.series.push_back(
            TimelineSeries{std::string(kEverythingSeries), 0, false, OrderIndex(view).peaks(slices.edges)});
    }
    takeEnds(slices, timeline);
    return timeline;
}

} // namespace highwater::analysis
