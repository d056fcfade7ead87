#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/timeline/timeline_query.h"
#include "core/base/result.h"
#include "core/store/published/published_trace.h"

#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// The series of TimelineMeasure::NewBytes by their place, which is their key as well.
inline constexpr std::size_t kFreedSeries = 0, kKeptSeries = 1;

/// What was allocated in each slice of the interval (docs/numbers.md 7.1), as two series: "Freed", what of it was
/// released before the end of the interval, and "Kept", what is outstanding then. Added up, both are Allocated of the
/// table, and the second is Impacting Size of what was allocated inside. Groups of the query mean nothing here.
/// One pass over the rows, on all processors. edges: points + 1 instants. Errors: Cancelled, Usage (Frees has nothing
/// that is new; more points than fit into memory).
[[nodiscard]] Result<std::vector<TimelineSeries>> newBytesOf(const store::PublishedTrace& trace, FrameLabels& labels,
                                                             const TimelineQuery& query,
                                                             const std::vector<TraceTime>& edges,
                                                             const std::stop_token& stop);

} // namespace highwater::analysis
