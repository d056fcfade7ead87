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
    bool isCoarse = false; ///< values are at least as high as they are: see coarseTimeline()
};

/// Any thread. The total bytes of a whole table come from the store's index (milliseconds at any size); groups, filters
/// and counts of what all rows of a site share from an index that is made the first time; others sweep the order of
/// events once. Errors: Cancelled, Usage (also: more series and points
/// than fit into memory).
[[nodiscard]] Result<Timeline> computeTimeline(const store::PublishedTrace& trace, FrameLabels& labels,
                                               const TimelineQuery& query, std::stop_token stop = {});

/// What can be said of it in milliseconds, at any size: the lines of groups that were asked for before, in another
/// interval, from blocks of events as a whole; else one line of the whole table, kEverythingSeries, above which none of
/// the lines can be. Each value is at least as high as that of computeTimeline(). Nothing: that is fast itself, or
/// nothing is known. Any thread.
[[nodiscard]] std::optional<Timeline> coarseTimeline(const store::PublishedTrace& trace, FrameLabels& labels,
                                                     const TimelineQuery& query, const std::stop_token& stop = {});

} // namespace highwater::analysis
