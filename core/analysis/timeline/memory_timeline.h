#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/timeline/timeline_query.h"
#include "core/base/result.h"
#include "core/store/published/published_trace.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Slice i is [starts[i], starts[i+1]); the last ends with the interval.
struct Timeline {
    TimeRange interval;
    std::vector<TraceTime> starts;
    std::vector<TimelineSeries> series;
    bool isCoarse = false; ///< values are upper bounds: see coarseTimeline()
};

/// Any thread. The total bytes of a whole table come from the store's index (milliseconds at any size). Groups, filters
/// and counts by properties that all rows of a site share come from an index that is built the first time. Others sweep
/// the ordered events once. Errors: Cancelled, Usage (also: more series and points than fit into memory).
[[nodiscard]] Result<Timeline> computeTimeline(const store::PublishedTrace& trace, FrameLabels& labels,
                                               const TimelineQuery& query, std::stop_token stop = {});

/// An approximation in milliseconds at any size: the lines of previously requested groups in another interval, derived
/// from whole blocks of events; otherwise one line for the whole table, kEverythingSeries, which no line can exceed.
/// Each value is at least that of computeTimeline(). Nothing: computeTimeline() is fast itself, or no data is
/// available. Any thread.
[[nodiscard]] std::optional<Timeline> coarseTimeline(const store::PublishedTrace& trace, FrameLabels& labels,
                                                     const TimelineQuery& query, const std::stop_token& stop = {});

} // namespace highwater::analysis
