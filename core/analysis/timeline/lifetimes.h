#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/timeline/timeline_query.h"
#include "core/base/result.h"
#include "core/store/published/published_trace.h"

#include <stop_token>
#include <string>
#include <vector>

namespace highwater::analysis {

/// One allocation, from its begin to its free.
struct Lifetime {
    TraceTime begin = kBeforeTrace;
    TraceTime end = kNever;
    Address address = 0;
    ByteCount size = 0;
    KeyPath series;       ///< TimelineSeries::path of its group; of what stays in an open one that of this
    std::string function; ///< that allocated, without allocator frames
};

struct Lifetimes {
    /// More are told by their number only: nobody could tell them apart.
    static constexpr std::uint64_t kMost = 5000;

    std::uint64_t count = 0;         ///< rows that take part
    std::vector<Lifetime> lifetimes; ///< by begin, then address; none if there are more than kMost
};

/// The rows of the query's table that take part in its interval and pass its filter, one by one; of Frees what was
/// released. Points, series and measure of the query mean nothing here. Any thread. Errors: Cancelled, Usage.
[[nodiscard]] Result<Lifetimes> computeLifetimes(const store::PublishedTrace& trace, FrameLabels& labels,
                                                 const TimelineQuery& query, const std::stop_token& stop = {});

} // namespace highwater::analysis
