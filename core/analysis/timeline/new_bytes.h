#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/timeline/timeline_query.h"
#include "core/base/result.h"
#include "core/store/published/published_trace.h"

#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// The indexes of the series of TimelineMeasure::NewBytes, which are also their keys.
inline constexpr std::size_t kFreedSeries = 0, kKeptSeries = 1;

/// The bytes allocated in each slice of the interval (docs/numbers.md 7.1), as two series: "Freed", the bytes released
/// before the end of the interval, and "Kept", the bytes outstanding at its end. Their sum over all slices is Allocated
/// in the table, and the sum of the second is the Impacting Size of allocations inside the interval. Ignores groups in
/// the query. One pass over the rows, on all processors. edges: points + 1 instants. Errors: Cancelled, Usage (Frees
/// has no new bytes; more points than fit into memory).
[[nodiscard]] Result<std::vector<TimelineSeries>> newBytesOf(const store::PublishedTrace& trace, FrameLabels& labels,
                                                             const TimelineQuery& query,
                                                             const std::vector<TraceTime>& edges,
                                                             const std::stop_token& stop);

} // namespace highwater::analysis
