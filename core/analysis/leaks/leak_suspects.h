#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/frames/owner_choices.h"
#include "core/analysis/held/owner_path.h"
#include "core/analysis/held/pictured_stacks.h"
#include "core/analysis/leaks/leak_report.h"
#include "core/analysis/query/row_filter.h"
#include "core/analysis/tags/suppressions.h"
#include "core/base/result.h"
#include "core/event/trace_notes.h"
#include "core/store/published/published_trace.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// A question for stacks that may leak. A plain value.
struct LeakQuery {
    Table table = Table::Heap; ///< not Frees
    TimeRange interval;
    RowFilter filter;
    std::shared_ptr<const AllocatorFrames> allocatorFrames;     ///< skipped to find owners; null: none
    SharedMarks marks;                                          ///< marks in the trace, in any order
    std::size_t most = 20;                                      ///< suspects
    std::shared_ptr<const Suppressions> suppressions = nullptr; ///< stacks that are only counted; null: none
    OwnerChoices owners = {};                                   ///< the user's choice of owners and wrappers
    bool asksHeldPages = true;                                  ///< sets LeakSuspect::held
    /// Search the other table of allocations as well, with this filter; nothing: only `table`.
    std::optional<RowFilter> otherFilter = {};
};

/// VirtualAlloc for Heap, and the reverse.
[[nodiscard]] constexpr Table otherAllocations(Table table) {
    return table == Table::Heap ? Table::VirtualAlloc : Table::Heap;
}
/// Null: the query does not concern the table.
[[nodiscard]] const RowFilter* filterIn(const LeakQuery& query, Table table);

/// Whether the stack leaks, by all that is known: it grows, or some of its blocks are unreachable.
[[nodiscard]] constexpr bool isLeak(LeakVerdict verdict) {
    return verdict == LeakVerdict::Growing || verdict == LeakVerdict::Unreachable;
}
/// Whether the stack may leak: it leaks, or it keeps at least a thousandth of all kept memory without an explanation.
[[nodiscard]] bool isSuspect(LeakVerdict verdict, double share);

/// Whether a stack that leaks precedes another one in findLeaks().
[[nodiscard]] bool isWorse(const LeakSuspect& a, const LeakSuspect& b);

[[nodiscard]] inline KeyPath pathToOwner(const LeakSuspect& suspect) {
    return pathToOwner(suspect.path, suspect.stack.size(), suspect.ownerFrame);
}

/// Ranks the stacks that keep memory, of both tables in one order: first those with unreachable blocks in the newest
/// picture of their process in the interval, most unreachable bytes first, then those that are certainly growing,
/// fastest first, then those that are probably growing, then other suspects, then the rest, each by bytes and verdict.
/// If the trace has no rates (see hasRates), all verdicts are TooEarly. Of two tables, one without rows is not
/// searched, and VirtualAlloc of heaps is left out (HeapMemory). Two passes over the rows of the interval. `pictures`:
/// from picturesOf(), if the caller has asked for them; null: they are read. Any thread. Errors: Cancelled, Usage.
[[nodiscard]] Result<LeakReport> findLeaks(const store::PublishedTrace& trace, FrameLabels& labels,
                                           const LeakQuery& query, const std::stop_token& stop = {},
                                           PicturedStacks* pictures = nullptr);
/// The pictures that the search uses. Null: it does not concern Heap, or the interval contains none. Errors: Cancelled.
[[nodiscard]] Result<std::unique_ptr<PicturedStacks>> picturesOf(const store::PublishedTrace& trace,
                                                                 FrameLabels& labels, const LeakQuery& query,
                                                                 const std::stop_token& stop = {});

} // namespace highwater::analysis
