#pragma once

#include "core/analysis/callers/call_tree.h"
#include "core/analysis/columns/columns.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/query/row_filter.h"
#include "core/base/result.h"
#include "core/store/published/published_trace.h"

#include <memory>
#include <stop_token>
#include <string>

namespace highwater::analysis {

class AllocatorFrames;

struct CallersQuery {
    Table table = Table::Heap;
    TimeRange interval;
    /// "module!function", case-insensitive; without "!", in any module. Inlined calls are included.
    std::string function;
    RowFilter filter;
    bool processExitFreesHeap = false;
    std::shared_ptr<const AllocatorFrames> allocatorFrames; ///< for StackBottomUp in the filter, as in Query
};

/// docs/numbers.md 18. All rows whose stack (Column::Stack) contains the function, each once. If it calls itself, the
/// outermost call counts. The roots of both trees have the same rows.
struct Callers {
    std::string function; ///< as named in the trace; as requested if it is not found
    CallTree callers;     ///< from the function outward
    CallTree callees;     ///< from the function inward
};

/// Any thread. Errors: Cancelled, Usage.
[[nodiscard]] Result<Callers> findCallers(const store::PublishedTrace& trace, FrameLabels& labels,
                                          const CallersQuery& query, const std::stop_token& stop = {});

} // namespace highwater::analysis
