#pragma once

#include "core/analysis/timeline/memory_timeline.h"

#include <vector>

namespace highwater::analysis {

/// The series of a timeline that the store's index cannot answer: by group, filtered, with other ends, or of releases.
/// edges: points + 1 instants.
[[nodiscard]] Result<std::vector<TimelineSeries>> seriesOfGroups(const store::PublishedTrace& trace,
                                                                 FrameLabels& labels, const TimelineQuery& query,
                                                                 const std::vector<TraceTime>& edges,
                                                                 const std::stop_token& stop);

} // namespace highwater::analysis
