#pragma once

#include "core/analysis/leaks/leak_verdict.h"
#include "core/analysis/query/row_filter.h"

#include <string>
#include <vector>

namespace highwater::analysis {

/// A function inside of an owner that asks for memory for whoever calls it.
struct PassedWrapper {
    std::string function;    ///< "module.dll!function"
    std::size_t frame = 0;   ///< of the stack
    std::size_t callers = 0; ///< functions that call it in this trace; 0: the user or the built-in list says so
};

/// One stack of one process that keeps what it allocated in the interval.
struct LeakSuspect {
    LeakVerdict verdict = LeakVerdict::Kept;
    double confidence = 0;               ///< that it leaks on: 0 to 1 (docs/numbers.md 12)
    std::string process;                 ///< "name.exe (pid)"
    std::string owner;                   ///< "module.dll!function"
    std::vector<std::string> stack;      ///< innermost first, with allocator frames
    std::size_t ownerFrame = 0;          ///< of `stack`
    std::string place; ///< in the owner: "cart.cpp:12"; without lines "+0x1a2b" if it has several; else ""
    std::vector<PassedWrapper> wrappers; ///< innermost first
    std::string why;                     ///< a sentence
    std::uint64_t outstandingCount = 0;  ///< rows at the end of the interval, older ones too
    ByteCount outstandingBytes = 0;
    std::uint64_t keptCount = 0; ///< of these, allocated inside
    ByteCount keptBytes = 0;
    std::uint64_t freedCount = 0; ///< rows that were freed inside
    double share = 0;             ///< of all bytes that were allocated inside and kept: 0 to 1
    Growth growth;                ///< bytes per second
    double rowsPerSecond = 0;     ///< kept ones, from the first row of the stack to the end
    TraceTime first;              ///< of the kept rows
    TraceTime last;
    TraceTime mostBefore;        ///< 90 % of them began before
    std::uint64_t survivors = 0; ///< kept rows that were there at `marks` marks or more
    std::size_t marks = 0;       ///< the most that at least half of the kept rows survived
    LeakPeriod period{};
    std::vector<SignedByteCount> levels; ///< outstanding bytes over the period: LeakPeriod::kSlices + 1
    KeyPath path;                        ///< Process, then Stack (bottom-up): what filters are made of
};

/// What suppressions leave out of a report.
struct SuppressedLeaks {
    std::size_t stacks = 0;      ///< that keep something
    std::uint64_t keptCount = 0; ///< rows that were allocated in the interval and kept
    ByteCount keptBytes = 0;
    bool areAsked = false; ///< there are suppressions, whether or not they match anything
    friend bool operator==(const SuppressedLeaks&, const SuppressedLeaks&) = default;
};

struct LeakReport {
    std::vector<LeakSuspect> suspects; ///< the first is the most suspicious
    std::size_t count = 0;             ///< stacks that keep memory; the largest of them are judged
    ByteCount keptBytes = 0;           ///< by all stacks but the suppressed ones
    ByteCount keptUntilExit = 0;       ///< of these, by processes that ended inside: tables may call it freed then
    TimeRange interval;                ///< as far as the trace goes
    SuppressedLeaks suppressed;        ///< these are no part of the rest
};

} // namespace highwater::analysis
