#pragma once

#include "core/analysis/columns/columns.h"
#include "core/store/published/published_trace.h"

#include <optional>

namespace highwater::analysis {

/// The table that a new view shows. On Windows, memory of heaps is also memory of VirtualAlloc, so that is the first
/// one with rows, in the order of kTables. Traces of Highwater's agent lack the system calls of the allocator itself:
/// there it is Heap, unless VirtualAlloc of the complete trace has more than four times as much memory. Nothing: no
/// table has rows. Reads at most 65,536 rows of a table. Any thread.
[[nodiscard]] std::optional<Table> firstTable(const store::PublishedTrace& trace, bool isGrowing = false);
[[nodiscard]] bool hasRows(const store::PublishedTrace& trace, Table table);

} // namespace highwater::analysis
