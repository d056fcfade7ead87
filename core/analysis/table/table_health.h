#pragma once

#include "core/analysis/columns/columns.h"
#include "core/event/trace_health.h"
#include "core/store/published/published_trace.h"

#include <vector>

namespace highwater::analysis {

/// The losses that affect the rows of one table (docs/numbers.md). Losses of events that cannot be in its rows are
/// omitted, and `stacks missing` is the number of its rows in the whole trace with (no stack), or 0 in Frees if no
/// release has a stack. Losses that may affect any table remain. Reads the rows only if stacks are missing. Any thread.
[[nodiscard]] HealthReport healthOf(const store::PublishedTrace& trace, Table table);
/// The losses that affect any of these tables of allocations; at least one table.
[[nodiscard]] HealthReport healthOf(const store::PublishedTrace& trace, const std::vector<Table>& tables);

} // namespace highwater::analysis
