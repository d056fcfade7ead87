#pragma once

#include "core/analysis/explain/surge.h"
#include "core/analysis/held/holders.h"
#include "core/analysis/leaks/leak_suspects.h"
#include "core/event/trace_health.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::analysis {

/// The biggest surge of a trace, and the function that allocated most of it.
struct SurgeFinding {
    Table table = Table::Heap;
    Surge surge;                  ///< notable; with its three largest stacks
    std::string owner;            ///< "module.dll!function"
    double share = 0;             ///< part of the surge's bytes that all stacks of the owner allocated; may exceed 1
    KeyPath path;                 ///< to the owner, in its largest stack: Process, then Stack (bottom-up)
    Effect effect = Effect::None; ///< effect of data loss on the bytes
};

/// A place in a function whose stacks grow or have unreachable blocks.
struct LeakFinding {
    LeakSuspect suspect; ///< the most suspicious of these stacks
    std::optional<TimeRange> interval =
        {}; ///< in which it is visible: before an exit that freed it; nothing: the whole
    Effect effect = Effect::None;
    std::size_t stacks = 0; ///< that grow or have unreachable blocks
    // Sums of all of these stacks. The first two without what may still be freed (LeakSuspect::leakedBytes):
    ByteCount outstandingBytes = 0;
    ByteCount leakedBytes = 0; ///< the part of it allocated in the interval
    double bytesPerSecond = 0;
    BlockSum unreachable = {};
};

/// The answer for a reader who has not asked yet. A plain value.
struct Findings {
    std::optional<SurgeFinding> surge;
    /// At most two, most suspicious first, each of another owner, and of at least a hundredth of the largest one.
    std::vector<LeakFinding> leaks;

    std::optional<ProcessHolders> held; ///< heldBy(), if these pages are at least 4 MB and a tenth of Rss

    [[nodiscard]] bool isEmpty() const { return !surge && leaks.empty() && !held; }
};

/// Whether the stack of the finding has another verdict in the report.
[[nodiscard]] bool contradicts(const LeakReport& report, const LeakFinding& finding);

/// The larger of the biggest surges of both tables of allocations, and the stacks of both that grow, as in explain(). A
/// surge of VirtualAlloc by the same owner as a surge of at least half its size in Heap is the memory of that heap, so
/// it is left out, and so is one that is not notable or less than a quarter of the largest growth. Ignores the table,
/// the filter and `most` of the query. `exited`: the process whose exit freed most of its memory; its leaks are those
/// before the exit. Those of other processes are those of the interval, as in findLeaks(). Any thread. Errors:
/// Cancelled, Usage.
[[nodiscard]] Result<Findings> findFindings(const store::PublishedTrace& trace, FrameLabels& labels,
                                            const LeakQuery& query, const std::stop_token& stop = {},
                                            const std::optional<FreedOnExit>& exited = {});

} // namespace highwater::analysis
