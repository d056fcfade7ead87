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

/// What a profile is of. A plain value.
struct PprofQuery {
    analysis::Table table = analysis::Table::Heap; ///< VirtualAlloc, Heap or Managed
    TimeRange interval;
    analysis::RowFilter filter = {};
    bool processExitFreesHeap = false;
    /// What stacks leave out at their leaf, as those that begin there do in tables; null: nothing.
    std::shared_ptr<const analysis::AllocatorFrames> allocatorFrames = nullptr;
};

/// Rows that stack, process, thread and heap do not tell apart, summed.
struct PprofSample {
    StackId stack;
    HeapId heap; ///< names the process, too; of managed objects the type
    ThreadId thread;
    store::ThreadNameId threadName;
    std::int64_t allocatedBytes = 0; ///< inside the interval
    std::int64_t allocatedRows = 0;
    std::int64_t keptBytes = 0; ///< outstanding at its end
    std::int64_t keptRows = 0;
};

/// In the order of stacks, heaps and threads. Any thread. Errors: Cancelled; Usage, of tables that have no such
/// samples.
[[nodiscard]] Result<std::vector<PprofSample>> pprofSamples(const store::PublishedTrace& trace,
                                                            analysis::FrameLabels& labels, const PprofQuery& query,
                                                            const std::stop_token& stop);

} // namespace highwater::formats
