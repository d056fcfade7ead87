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
    /// "module!function", in any case; without a "!" of any module. Inlined or not is the same.
    std::string function;
    RowFilter filter;
    bool processExitFreesHeap = false;
    std::shared_ptr<const AllocatorFrames> allocatorFrames; ///< for StackBottomUp in the filter; as in Query
};

/// docs/numbers.md 18. All rows whose stack (Column::Stack) has the function, each once: where it calls itself, the
/// outermost call counts. Both trees have the same rows in their root.
struct Callers {
    std::string function; ///< as it is called in the trace; as it was asked for if nothing has it
    CallTree callers;     ///< from the function outwards
    CallTree callees;     ///< from the function inwards
};

/// Any thread. Errors: Cancelled, Usage.
[[nodiscard]] Result<Callers> findCallers(const store::PublishedTrace& trace, FrameLabels& labels,
                                          const CallersQuery& query, const std::stop_token& stop = {});

} // namespace highwater::analysis
