#include "core/analysis/table/nothing_found.h"

#include "core/base/text.h"

#include <fmt/format.h>

namespace highwater::analysis {
namespace {

/// Whether the trace has events that make rows of the table.
bool hasEvents(const store::PublishedTrace& trace, Table table) {
    switch (table) {
    case Table::Heap:
        return trace.heap.rows > 0;
    case Table::VirtualAlloc:
        return trace.virtualAlloc.rows > 0;
    case Table::Frees:
        break;
    }
    return trace.heap.rows > 0 || trace.virtualAlloc.rows > 0 || trace.health[Loss::UnmatchedFrees] > 0;
}

std::string howToRecord(Table table) {
    switch (table) {
    case Table::Heap:
        return "This trace has no heap allocations. On Windows they are recorded only of programs for which heap "
               "tracing "
               "was switched on before they started: wpr -HeapTracingConfig PROGRAM.exe enable, then the profile Heap "
               "usage. Highwater records them unless it is asked for VirtualAlloc only: with --virtualalloc, but "
               "without "
               "--heap.";
    case Table::VirtualAlloc:
        return "This trace has no VirtualAlloc allocations. On Windows they are recorded with the profile VirtualAlloc "
               "usage (xperf: VIRT_ALLOC). Highwater records them unless it is asked for heaps only: with --heap, but "
               "without --virtualalloc.";
    case Table::Frees:
        break;
    }
    return "This trace has no event of memory: neither of heaps nor of VirtualAlloc. On Windows they are recorded with "
           "the "
           "profiles Heap usage, after wpr -HeapTracingConfig PROGRAM.exe enable, and VirtualAlloc usage.";
}

} // namespace

std::optional<Error> refusalOf(TimeRange asked, TimeRange whole) {
    const bool isOutside = asked.end <= whole.start || asked.start >= whole.end;
    if (whole.isEmpty() || !isOutside) return std::nullopt;
    return Error{ErrorKind::Usage,
                 fmt::format("The interval {} s to {} s lies outside the trace, which reaches from {} s "
                             "up to, not including, {} s.",
                             secondsText(asked.start), secondsText(asked.end), secondsText(whole.start),
                             secondsText(whole.end))};
}

std::vector<std::string> notRecorded(const store::PublishedTrace& trace) {
    if (trace.health.totalsAreBounds()) return {};
    if (!hasEvents(trace, Table::Frees)) return {howToRecord(Table::Frees)};
    std::vector<std::string> sentences;
    for (const auto table : {Table::Heap, Table::VirtualAlloc}) {
        if (!hasEvents(trace, table)) sentences.push_back(howToRecord(table));
    }
    return sentences;
}

std::string whyEmpty(const store::PublishedTrace& trace, Table table, TimeRange interval, bool isFiltered) {
    if (!hasEvents(trace, table)) {
        if (trace.health.totalsAreBounds()) return "What could be read of this trace has nothing for this table.";
        return howToRecord(table);
    }
    if (isFiltered) return "Nothing matches the filter.";
    const auto whole = trace.wholeRange();
    const bool isAll = interval.start <= whole.start && interval.end >= whole.end;
    return isAll ? "This trace has no rows for this table." : "Nothing of this table in the interval.";
}

} // namespace highwater::analysis
