#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/histogram/histogram_bar.h"
#include "core/analysis/query/row_filter.h"
#include "core/base/result.h"
#include "core/store/published/published_trace.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

class AllocatorFrames;

struct HistogramQuery {
    Table table = Table::Heap;
    TimeRange interval;
    HistogramOf of = HistogramOf::Size;
    std::uint32_t exact = 0; ///< number of the most frequent sizes to list individually
    RowFilter filter;
    bool processExitFreesHeap = false;
    std::shared_ptr<const AllocatorFrames> allocatorFrames; ///< for StackBottomUp in the filter, as in Query
};

/// docs/numbers.md 17. In Frees, rows are releases, and nothing is kept.
struct Histogram {
    /// By value, from the lowest to the highest that any row has, without gaps; then Outstanding and Unknown, if any.
    std::vector<HistogramBar> bars;
    /// Bars of one size each, most frequent first; of equally frequent ones, the smaller first. For sizes only.
    std::vector<HistogramBar> exact;
    std::uint64_t sizes = 0; ///< number of distinct sizes; 0 if exact sizes were not requested
    std::uint64_t count = 0; ///< all rows
    std::uint64_t bytes = 0;
};

/// Counts the rows of a table for this interval and filter by size or lifetime. One pass over the rows, on all
/// processors. Any thread. Errors: Cancelled, Usage.
[[nodiscard]] Result<Histogram> computeHistogram(const store::PublishedTrace& trace, FrameLabels& labels,
                                                 const HistogramQuery& query, const std::stop_token& stop = {});

} // namespace highwater::analysis
