#include "core/analysis/table/nothing_found.h"

#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace highwater::analysis {
namespace {

/// Missing data in a trace, and how to record it.
struct Unrecorded {
    const char* what;
    const char* remedy;
};

Unrecorded unrecordedOfClr(Table table, const char* remedy) {
    return {table == Table::Managed ? "no managed allocations" : "no managed heap sizes", remedy};
}

/// On Linux, without wpr and xperf.
Unrecorded unrecordedByAgent(Table table) {
    switch (table) {
    case Table::Heap:
    case Table::Snapshot:
        return {"no heap allocations",
                "Highwater records malloc and new if \"Heap\" is selected. On the command line, it records them unless "
                "--virtualalloc is given alone. To record child processes as well, select \"Child processes\" "
                "(--children)."};
    case Table::VirtualAlloc:
        return {"no VirtualAlloc allocations",
                "On Linux, these are the mappings that the program creates itself (mmap). Highwater records them if "
                "\"VirtualAlloc\" is selected. On the command line, it records them unless --heap is given alone."};
    case Table::Managed:
    case Table::GcHeap:
        return unrecordedOfClr(table, "Highwater records managed heaps on Windows only.");
    case Table::Frees:
        break;
    }
    return {"no heap or VirtualAlloc events", "The program requested no memory while it was recorded. To record the "
                                              "processes that it starts, select \"Child processes\" (--children)."};
}

Unrecorded unrecorded(Table table) {
    switch (table) {
    case Table::Heap:
    case Table::Snapshot:
        return {"no heap allocations",
                "On Windows, they are recorded only for programs whose heap tracing was enabled before they started: "
                "run wpr -HeapTracingConfig PROGRAM.exe enable, then wpr -start Heap, start the program, and run wpr "
                "-stop TRACE.etl. Highwater records them if \"Heap\" is selected. On the command line, it records them "
                "unless --virtualalloc is given alone."};
    case Table::VirtualAlloc:
        return {"no VirtualAlloc allocations",
                "On Windows, record them with wpr -start VirtualAllocation, then wpr -stop TRACE.etl (xperf: "
                "VIRT_ALLOC). Highwater records them if \"VirtualAlloc\" is selected. On the command line, it records "
                "them unless --heap is given alone."};
    case Table::Managed:
        return unrecordedOfClr(
            table, "The CLR reports them, with their stacks, if its provider Microsoft-Windows-DotNETRuntime is "
                   "recorded with the keywords 0x40000001 at level 5, as PerfView collect does.");
    case Table::GcHeap:
        return unrecordedOfClr(
            table,
            "The CLR reports the size of its heap after each collection if its provider "
            "Microsoft-Windows-DotNETRuntime is recorded with the keyword 0x1 at level 4, as PerfView collect does.");
    case Table::Frees:
        break;
    }
    return {"no heap or VirtualAlloc events",
            "On Windows, record them with wpr -HeapTracingConfig PROGRAM.exe enable, then wpr -start Heap -start "
            "VirtualAllocation, start the program, and run wpr -stop TRACE.etl."};
}

/// Missing events may be in the missing part of the trace.
std::string readPartText(const store::PublishedTrace& trace) {
    if (!trace.health.totalsAreBounds()) return {};
    if (!trace.health.lacksEnd()) return " in the part that was read; other parts of it are missing";
    return fmt::format(" in the part that was read, up to {:.3f} s; the end of its file is missing",
                       trace.horizon.seconds());
}

std::string unrecordedText(const store::PublishedTrace& trace, Table table) {
    const bool isOfHeaps = table == Table::Heap || table == Table::Frees || table == Table::Snapshot;
    if (trace.lacks.pages && !isOfHeaps)
        return fmt::format("This trace has {} because its file contains heap data only.", unrecorded(table).what);
    // A profile of another tool, which the recorder could not have extended.
    if (trace.lacks.isAny()) return fmt::format("This profile has no heap allocations{}.", readPartText(trace));
    if (table != Table::Managed && table != Table::GcHeap && trace.pictures && trace.heap.rows == 0)
        return fmt::format("This trace has {}{}, but it has a picture of memory. To see what holds the blocks of the "
                           "picture, open Held By (Ctrl+Shift+B); on the command line, use highwater-cli holders.",
                           unrecordedByAgent(table).what, readPartText(trace));
    auto [what, remedy] = trace.isOfAgent ? unrecordedByAgent(table) : unrecorded(table);
    // Advice about recording would be wrong if missing data contains requests of the program.
    const bool mayBeMissing = trace.isOfAgent && table != Table::Managed && table != Table::GcHeap;
    if (mayBeMissing && trace.health.totalsAreBounds()) remedy = "The missing parts may contain them.";
    return fmt::format("This trace has {}{}. {}", what, readPartText(trace), remedy);
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
                 fmt::format("The interval {} s to {} s is outside the trace, which covers {} s to {} s (exclusive).",
                             secondsText(asked.start), secondsText(asked.end), secondsText(whole.start),
                             secondsText(whole.end))};
}

std::vector<std::string> notRecorded(const store::PublishedTrace& trace, std::uint64_t counted) {
    if (counted == 0 && !isRecorded(trace, Table::Frees)) return {unrecordedText(trace, Table::Frees)};
    std::vector<std::string> sentences;
    for (const auto table : {Table::Heap, Table::VirtualAlloc}) {
        const bool isCounted = table == Table::Heap && counted > 0;
        if (!isCounted && !isRecorded(trace, table)) sentences.push_back(unrecordedText(trace, table));
    }
    return sentences;
}

std::string whyEmpty(const store::PublishedTrace& trace, Table table, TimeRange interval,
                     const std::vector<std::string>& filters) {
    if (!isRecorded(trace, table)) return unrecordedText(trace, table);
    if (table == Table::Snapshot && !trace.snapshots && filters.empty())
        return "This trace has no heap snapshots. Use Snapshot to take one during a recording or of any instant of an "
               "open trace. On the command line, use record --snapshot-every or table --snapshot.";
    if (filters.size() == 1)
        return fmt::format("Nothing matches {}. Remove it to see all rows of the interval.", filters.front());
    if (!filters.empty())
        return fmt::format("Nothing matches {} together. Remove one of them to see more rows of the interval.",
                           fmt::join(filters, " and "));
    const auto whole = trace.wholeRange();
    const bool isAll = interval.start <= whole.start && interval.end >= whole.end;
    return isAll ? "This trace has no rows for this table." : "This table has no rows in the interval.";
}

} // namespace highwater::analysis
