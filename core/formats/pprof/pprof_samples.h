#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/query/row_filter.h"
#include "core/base/result.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace highwater::formats {

/// The contents of a profile. A plain value.
struct PprofQuery {
    analysis::Table table = analysis::Table::Heap; ///< VirtualAlloc, Heap or Managed
    TimeRange interval;
    analysis::RowFilter filter = {};
    bool processExitFreesHeap = false;
    /// Frames to omit at the leaf of stacks, like those at the start of stacks in tables; nullptr: none.
    std::shared_ptr<const analysis::AllocatorFrames> allocatorFrames = nullptr;
};

/// The sum of rows with the same stack, process, thread and heap.
struct PprofSample {
    StackId stack;
    HeapId heap; ///< includes the process; for managed objects the type
    ThreadId thread;
    store::ThreadNameId threadName;
    std::int64_t allocatedBytes = 0; ///< in the interval
    std::int64_t allocatedRows = 0;
    std::int64_t keptBytes = 0; ///< outstanding at its end
    std::int64_t keptRows = 0;
};

/// Ordered by stack, heap and thread. Any thread. Errors: Cancelled; Usage for tables without such samples.
[[nodiscard]] Result<std::vector<PprofSample>> pprofSamples(const store::PublishedTrace& trace,
                                                            analysis::FrameLabels& labels, const PprofQuery& query,
                                                            const std::stop_token& stop);

} // namespace highwater::formats
