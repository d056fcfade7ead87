#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/timeline/timeline_query.h"
#include "core/base/result.h"
#include "core/store/published/published_trace.h"

#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// What the series of one timeline may have together, so that the answer fits into memory: 8 bytes each.
inline constexpr std::uint64_t kMaxTimelinePoints = std::uint64_t{1} << 27;

/// The series of a timeline that the store's index cannot answer: by group, filtered, with other ends, or of releases.
/// edges: of the slices, one more than these.
[[nodiscard]] Result<std::vector<TimelineSeries>> seriesOfGroups(const store::PublishedTrace& trace,
                                                                 FrameLabels& labels, const TimelineQuery& query,
                                                                 const std::vector<TraceTime>& edges,
                                                                 const std::stop_token& stop);

/// The same, each value at least as high, in milliseconds. Empty: nothing is known that quickly.
[[nodiscard]] Result<std::vector<TimelineSeries>> coarseSeriesOfGroups(const store::PublishedTrace& trace,
                                                                       FrameLabels& labels, const TimelineQuery& query,
                                                                       const std::vector<TraceTime>& edges,
                                                                       const std::stop_token& stop);

} // namespace highwater::analysis
