#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/timeline/timeline_query.h"
#include "core/base/result.h"
#include "core/store/published/published_trace.h"

#include <stop_token>
#include <string>
#include <vector>

namespace highwater::analysis {

/// One allocation, from its start to its free.
struct Lifetime {
    TraceTime begin = kBeforeTrace;
    TraceTime end = kNever;
    Address address = 0;
    ByteCount size = 0;
    KeyPath series;       ///< TimelineSeries::path of its group; for rows that stay in an open group, its path
    std::string function; ///< the allocating function, without allocator frames
};

struct Lifetimes {
    /// If there are more, only their number is returned, because users could not distinguish them.
    static constexpr std::uint64_t kMost = 5000;

    std::uint64_t count = 0;         ///< member rows
    std::vector<Lifetime> lifetimes; ///< by start, then address; empty if there are more than kMost
};

/// The rows of the query's table in its interval that match its filter, one by one; for Frees, the released memory.
/// Ignores points, series and measure of the query. Any thread. Errors: Cancelled, Usage.
[[nodiscard]] Result<Lifetimes> computeLifetimes(const store::PublishedTrace& trace, FrameLabels& labels,
                                                 const TimelineQuery& query, const std::stop_token& stop = {});

} // namespace highwater::analysis
