#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/timeline/timeline_query.h"
#include "core/base/result.h"
#include "core/store/published/published_trace.h"

#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// The maximum number of points of all series of one timeline, at 8 bytes each, so that the answer fits into memory.
inline constexpr std::uint64_t kMaxTimelinePoints = std::uint64_t{1} << 27;
/// The error for more.
[[nodiscard]] Error tooManyPoints(std::uint64_t series, std::uint64_t points);

/// The series of a timeline that the store's index does not contain: by group, filtered, with other ends, or of
/// releases. edges: of the slices, one more than slices.
[[nodiscard]] Result<std::vector<TimelineSeries>> seriesOfGroups(const store::PublishedTrace& trace,
                                                                 FrameLabels& labels, const TimelineQuery& query,
                                                                 const std::vector<TraceTime>& edges,
                                                                 const std::stop_token& stop);

/// Upper bounds of the same in milliseconds. Empty: no data is available that fast.
[[nodiscard]] Result<std::vector<TimelineSeries>> coarseSeriesOfGroups(const store::PublishedTrace& trace,
                                                                       FrameLabels& labels, const TimelineQuery& query,
                                                                       const std::vector<TraceTime>& edges,
                                                                       const std::stop_token& stop);

} // namespace highwater::analysis
