#pragma once

#include "core/analysis/held/pictured_stacks.h"
#include "core/analysis/leaks/leak_verdict.h"
#include "core/analysis/query/row_filter.h"
#include "core/analysis/table/held_memory.h"

#include <optional>
#include <string>
#include <vector>

namespace highwater::analysis {

/// A function inside an owner that requests memory on behalf of its callers.
struct PassedWrapper {
    std::string function;    ///< "module.dll!function"
    std::size_t frame = 0;   ///< index in the stack
    std::size_t callers = 0; ///< its callers in this trace; 0: defined by the user or the built-in list
};

/// One stack of one process that keeps memory that it allocated in the interval.
struct LeakSuspect {
    Table table = Table::Heap;
    LeakVerdict verdict = LeakVerdict::Kept;
    double confidence = 0;          ///< that the leak continues: 0 to 1 (docs/numbers.md 12)
    std::string process;            ///< "name.exe (pid)"
    std::string owner;              ///< "module.dll!function"
    std::vector<std::string> stack; ///< innermost first, with allocator frames
    std::size_t ownerFrame = 0;     ///< in `stack`
    std::string place; ///< in the owner: "cart.cpp:12"; without lines "+0x1a2b" if it has several; otherwise ""
    std::vector<PassedWrapper> wrappers; ///< innermost first
    std::string why;                     ///< a sentence
    std::uint64_t outstandingCount = 0;  ///< rows at the end of the interval, including older ones
    ByteCount outstandingBytes = 0;
    std::uint64_t keptCount = 0; ///< rows allocated inside
    ByteCount keptBytes = 0;
    /// `Growing`: kept rows except those that may still be freed (LowPoint); `Unreachable`: unreachable blocks; others:
    /// 0.
    std::uint64_t leakedCount = 0;
    ByteCount leakedBytes = 0;
    std::uint64_t freedCount = 0; ///< rows freed inside
    double share = 0;             ///< share of all bytes of its table that were allocated inside and kept: 0 to 1
    /// `Kept`: most kept rows are younger than freed rows of the stack became, so they may still be freed.
    bool isYoung = false;
    Growth growth;                ///< bytes per second
    double rowsPerSecond = 0;     ///< kept rows, from the first row of the stack to the end or the low point
    TraceTime first;              ///< first kept row
    TraceTime last;
    TraceTime mostBefore;        ///< 90 % of the kept rows started before
    std::uint64_t survivors = 0; ///< kept rows that were outstanding at `marks` or more marks
    std::size_t marks = 0;       ///< the largest number that at least half of the kept rows survived
    LeakPeriod period{};
    std::vector<SignedByteCount> levels; ///< outstanding bytes over the period: LeakPeriod::kSlices + 1
    KeyPath path;                        ///< Process, then Stack (bottom-up): the keys for filters
    std::optional<HeldMemory> held;      ///< at the newest sample of the process in the interval; nothing: no sample
    std::optional<PicturedStack> picture; ///< nothing: no picture in the interval contains a block of it

    [[nodiscard]] BlockSum unreachable() const { return picture ? picture->unreachable : BlockSum(); }
    /// Whether blocks are unreachable without any doubt.
    [[nodiscard]] bool isProven() const { return unreachable().count > 0 && !picture->limits.isUpperBound; }
};

/// Stacks that keep memory and are counted, but not judged.
struct LeftOutStacks {
    std::size_t stacks = 0;
    std::uint64_t keptCount = 0; ///< rows allocated in the interval and kept
    ByteCount keptBytes = 0;
    friend bool operator==(const LeftOutStacks&, const LeftOutStacks&) = default;
};

/// The part of a report that suppressions remove.
struct SuppressedLeaks : LeftOutStacks {
    bool areAsked = false; ///< there are suppressions, whether they match or not
    friend bool operator==(const SuppressedLeaks&, const SuppressedLeaks&) = default;
};

/// The part of a report about one table, without the stacks that are left out.
struct SearchedTable {
    Table table = Table::Heap;
    std::size_t stacks = 0;  ///< that keep memory
    ByteCount keptBytes = 0; ///< by these
    friend bool operator==(const SearchedTable&, const SearchedTable&) = default;
};

[[nodiscard]] inline std::vector<Table> tablesIn(const std::vector<SearchedTable>& searched) {
    std::vector<Table> tables;
    for (const auto& one : searched)
        tables.push_back(one.table);
    return tables;
}

/// Memory that a process freed as it exited.
struct FreedOnExit {
    Table table = Table::Heap;
    std::string process; ///< "name.exe"
    ByteCount bytes = 0; ///< by which it had grown at the end of `range`
    TimeRange range;     ///< from the start of the interval until shortly before the exit: its leaks are visible here
    ProcessIndex index{};
};

/// Blocks of the newest picture of a process without a row in the interval, such as those from before the recording.
/// They have no stack.
struct UntracedBlocks {
    std::string process;      ///< "name.exe (pid)"
    TraceTime time;           ///< of the picture
    std::uint64_t blocks = 0; ///< all of the picture
    BlockSum unreachable;     ///< of those without a row
    bool areKnown = true; ///< false: the picture has no blocks because they are not found in the heaps of the process
};

struct LeakReport {
    std::vector<LeakSuspect> suspects; ///< from all tables, most suspicious first
    std::vector<SearchedTable> tables; ///< one or two; Heap first
    std::size_t count = 0;             ///< stacks that keep memory; the largest of them are judged
    ByteCount keptBytes = 0;           ///< by all stacks except those that are left out
    bool hasPicture = false;           ///< the interval contains a picture of memory
    /// Of processes with unreachable ones, or of all if the trace has no rows of heaps. Empty if heaps are filtered.
    std::vector<UntracedBlocks> untraced;
    ByteCount keptUntilExit = 0; ///< part of `keptBytes`, by processes that ended inside; tables may show it as freed
    TimeRange interval;          ///< limited to the extent of the trace
    SuppressedLeaks suppressed;  ///< not included in the rest
    LeftOutStacks heapMemory;    ///< VirtualAlloc of heaps (HeapMemory), if both tables were searched; not included
    std::optional<FreedOnExit> freedOnExit; ///< only from findLeaksAndExit()
};

} // namespace highwater::analysis
