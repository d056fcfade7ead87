#include "core/analysis/table/nothing_found.h"

#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace highwater::analysis {
namespace {

/// What a trace lacks, and how that is recorded.
struct Unrecorded {
    const char* what;
    const char* remedy;
};

Unrecorded unrecordedOfClr(Table table, const char* remedy) {
    return {table == Table::Managed ? "no managed allocations" : "no sizes of managed heaps", remedy};
}

/// On Linux, where neither wpr nor xperf is.
Unrecorded unrecordedByAgent(Table table) {
    switch (table) {
    case Table::Heap:
    case Table::Snapshot:
        return {"no heap allocations",
                "Highwater records those of malloc and new unless it is asked for VirtualAlloc only: with "
                "--virtualalloc, but without --heap. What other processes than the one that was started allocate is "
                "recorded with --children."};
    case Table::VirtualAlloc:
        return {"no VirtualAlloc allocations",
                "On Linux they are what the program maps itself (mmap). Highwater records them unless it is asked for "
                "heaps only: with --heap, but without --virtualalloc."};
    case Table::Managed:
    case Table::GcHeap:
        return unrecordedOfClr(table, "Highwater records managed heaps on Windows only.");
    case Table::Frees:
        break;
    }
    return {"no event of memory: neither of heaps nor of VirtualAlloc",
            "The program asked for no memory while it was recorded. What processes that it starts allocate is recorded "
            "with --children."};
}

Unrecorded unrecorded(Table table) {
    switch (table) {
    case Table::Heap:
    case Table::Snapshot:
        return {"no heap allocations",
                "On Windows they are recorded only of programs for which heap tracing was switched on before they "
                "started: wpr -HeapTracingConfig PROGRAM.exe enable, then wpr -start Heap, start the program, and wpr "
                "-stop "
                "TRACE.etl. Highwater records them unless it is asked for VirtualAlloc only: with --virtualalloc, but "
                "without --heap."};
    case Table::VirtualAlloc:
        return {"no VirtualAlloc allocations",
                "On Windows they are recorded by wpr -start VirtualAllocation, then wpr -stop TRACE.etl (xperf: "
                "VIRT_ALLOC). "
                "Highwater records them unless it is asked for heaps only: with --heap, but without --virtualalloc."};
    case Table::Managed:
        return unrecordedOfClr(table, "The CLR tells of them, with their stacks, where its provider "
                                      "Microsoft-Windows-DotNETRuntime is recorded with the keywords 0x40000001 at "
                                      "level 5, as PerfView collect does.");
    case Table::GcHeap:
        return unrecordedOfClr(table, "The CLR tells after each collection how large its heap is, where its provider "
                                      "Microsoft-Windows-DotNETRuntime is recorded with the keyword 0x1 at level 4, as "
                                      "PerfView collect does.");
    case Table::Frees:
        break;
    }
    return {"no event of memory: neither of heaps nor of VirtualAlloc",
            "On Windows they are recorded by wpr -HeapTracingConfig PROGRAM.exe enable, then wpr -start Heap -start "
            "VirtualAllocation, start the program, and wpr -stop TRACE.etl."};
}

/// What is not in it may be in the part that is missing.
std::string asFarAsItWasRead(const store::PublishedTrace& trace) {
    if (!trace.health.totalsAreBounds()) return {};
    if (!trace.health.lacksEnd()) return ", as far as it was read: something else is missing in it";
    return fmt::format(", as far as it was read: up to {} s, as its file lacks the end", secondsText(trace.horizon));
}

std::string sayUnrecorded(const store::PublishedTrace& trace, Table table) {
    const bool isOfHeaps = table == Table::Heap || table == Table::Frees || table == Table::Snapshot;
    if (trace.lacks.pages && !isOfHeaps)
        return fmt::format("This trace has {}: its file tells of heaps only.", unrecorded(table).what);
    // A profile of another tool: no recorder of ours could have put more into it.
    if (trace.lacks.isAny()) return fmt::format("This profile has no heap allocations{}.", asFarAsItWasRead(trace));
    auto [what, remedy] = trace.isOfAgent ? unrecordedByAgent(table) : unrecorded(table);
    // Of what is missing nobody knows what was asked for.
    const bool blamesProgram = trace.isOfAgent && table == Table::Frees;
    if (blamesProgram && trace.health.totalsAreBounds()) remedy = "What is missing may have held them.";
    return fmt::format("This trace has {}{}. {}", what, asFarAsItWasRead(trace), remedy);
}

} // namespace

bool isRecorded(const store::PublishedTrace& trace, Table table) {
    switch (table) {
    case Table::Heap:
        return trace.heap.rows > 0;
    case Table::VirtualAlloc:
        return trace.virtualAlloc.rows > 0;
    case Table::Snapshot:
        return trace.heap.rows > 0 || trace.snapshotBlocks > 0;
    case Table::Managed:
        return trace.managed.rows > 0;
    case Table::GcHeap:
        return trace.gcHeap.rows > 0;
    case Table::Frees:
        break;
    }
    return trace.heap.rows > 0 || trace.virtualAlloc.rows > 0 || trace.health[Loss::UnmatchedFrees] > 0;
}

std::optional<Error> refusalOf(TimeRange asked, TimeRange whole) {
    const bool isOutside = asked.end <= whole.start || asked.start >= whole.end;
    if (whole.isEmpty() || !isOutside) return std::nullopt;
    return Error{ErrorKind::Usage,
                 fmt::format("The interval {} s to {} s lies outside the trace, which reaches from {} s "
                             "up to, not including, {} s.",
                             secondsText(asked.start), secondsText(asked.end), secondsText(whole.start),
                             secondsText(whole.end))};
}

std::vector<std::string> notRecorded(const store::PublishedTrace& trace, std::uint64_t counted) {
    if (counted == 0 && !isRecorded(trace, Table::Frees)) return {sayUnrecorded(trace, Table::Frees)};
    std::vector<std::string> sentences;
    for (const auto table : {Table::Heap, Table::VirtualAlloc}) {
        const bool isCounted = table == Table::Heap && counted > 0;
        if (!isCounted && !isRecorded(trace, table)) sentences.push_back(sayUnrecorded(trace, table));
    }
    return sentences;
}

std::string whyEmpty(const store::PublishedTrace& trace, Table table, TimeRange interval,
                     const std::vector<std::string>& filters) {
    if (!isRecorded(trace, table)) return sayUnrecorded(trace, table);
    if (table == Table::Snapshot && !trace.snapshots && filters.empty())
        return "No heap snapshot is here. Snapshot takes one while recording (on the command line record "
               "--snapshot-every), and makes one of any instant of a trace that is open (on the command line table "
               "--snapshot).";
    if (filters.size() == 1)
        return fmt::format("Nothing matches {}. Leave it out to see all rows of the interval.", filters.front());
    if (!filters.empty())
        return fmt::format("Nothing matches {} together. Leave one of them out to see more rows of the interval.",
                           fmt::join(filters, " and "));
    const auto whole = trace.wholeRange();
    const bool isAll = interval.start <= whole.start && interval.end >= whole.end;
    return isAll ? "This trace has no rows for this table." : "No rows of this table in the interval.";
}

} // namespace highwater::analysis
