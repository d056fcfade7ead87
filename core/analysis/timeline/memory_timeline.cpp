#include "core/analysis/timeline/memory_timeline.h"

#include "core/analysis/columns/trace_lacks.h"
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

} // namespace

Result<Timeline> computeTimeline(const store::PublishedTrace& trace, FrameLabels& labels, const TimelineQuery& query,
                                 std::stop_token stop) {
    if (auto refused = whyNoAnswer(AnswerKind::Timeline, trace.lacks)) return *std::move(refused);
    if (query.by && isAggregate(*query.by)) {
        return Error{ErrorKind::Usage,
                     "A timeline needs a key column, not \"" + std::string(columnName(query.table, *query.by)) + "\"."};
    }
    auto exact = query;
    exact.points = std::max(query.points, 1u);
    exact.interval.end = std::max(query.interval.start, query.interval.end);
    auto edges = sliceEdges(exact.interval, exact.points);
    Timeline timeline{exact.interval, {edges.begin(), edges.end() - 1}, {}};
    const bool isOfLevels = hasLevels(exact.table) && exact.measure != TimelineMeasure::NewBytes;
    if (isOfLevels) edges.push_back(edges.back()); // a slice without length, of what is there at the end
    if (isWholeTable(exact)) {
        const auto kind = rowsOf(exact.table);
        timeline.series.push_back(TimelineSeries{"Total", 0, false, OrderIndex(trace.table(kind)).peaks(edges)});
    } else {
        auto series = exact.measure == TimelineMeasure::NewBytes ? newBytesOf(trace, labels, exact, edges, stop)
                                                                 : seriesOfGroups(trace, labels, exact, edges, stop);
        if (!series.hasValue()) return series.error();
        timeline.series = std::move(series).value();
    }
    if (exact.opening.withTotal) timeline.series.front().canOpen = exact.measure != TimelineMeasure::NewBytes;
    for (auto& series : timeline.series) {
        if (!isOfLevels) break;
        series.atEnd = series.peaks.back();
        series.peaks.pop_back();
    }
    return timeline;
}

} // namespace highwater::analysis
