#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/frames/owner_choices.h"
#include "core/analysis/leaks/leak_report.h"
#include "core/analysis/query/row_filter.h"
#include "core/analysis/tags/suppressions.h"
#include "core/base/result.h"
#include "core/event/trace_notes.h"
#include "core/store/published/published_trace.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Which stacks may leak? A plain value.
struct LeakQuery {
    Table table = Table::Heap; ///< not Frees
    TimeRange interval;
    RowFilter filter;
    std::shared_ptr<const AllocatorFrames> allocatorFrames; ///< that stacks leave out and owners lie behind; null: none
    SharedMarks marks;                                      ///< of the trace, in any order
    std::size_t most = 20;                                  ///< suspects
    std::shared_ptr<const Suppressions> suppressions = nullptr; ///< stacks that are counted only; null: none
    OwnerChoices owners = {};                                   ///< what the user says of owners and wrappers
};

/// Whether what it keeps may be a leak: it grows, or nothing explains what it keeps and that is a thousandth of all at
/// least.
[[nodiscard]] bool isSuspect(LeakVerdict verdict, double share);

/// Ranks the stacks that keep memory: first what surely grows, fastest first, then what probably does, then other
/// suspects, then the rest, each by bytes and verdict; where the trace has no rates (see hasRates) all are too early to
/// tell. Two passes over the rows of the interval. Any thread. Errors: Cancelled, Usage.
[[nodiscard]] Result<LeakReport> findLeaks(const store::PublishedTrace& trace, FrameLabels& labels,
                                           const LeakQuery& query, const std::stop_token& stop = {});

} // namespace highwater::analysis
