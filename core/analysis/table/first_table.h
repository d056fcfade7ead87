#pragma once

#include "core/analysis/columns/columns.h"
#include "core/store/published/published_trace.h"

#include <optional>

namespace highwater::analysis {

/// The table that a new view shows. On Windows, VirtualAlloc includes the memory of heaps, so the first table
/// with rows in the order of kTables is shown. Traces of Highwater's agent lack the system calls of the allocator
/// itself. For these, Heap is shown unless VirtualAlloc has more than four times as much memory in the complete trace.
/// Nothing: no table has rows. Reads at most 65,536 rows of a table. Any thread.
[[nodiscard]] std::optional<Table> firstTable(const store::PublishedTrace& trace, bool isGrowing = false);
[[nodiscard]] bool hasRows(const store::PublishedTrace& trace, Table table);

} // namespace highwater::analysis
