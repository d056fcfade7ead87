#pragma once

#include "core/analysis/columns/columns.h"
#include "core/event/trace_health.h"
#include "core/store/published/published_trace.h"

namespace highwater::analysis {

/// What is less than whole in the rows of one table (docs/numbers.md): losses of events that no row of it comes from
/// are left out, and `stacks missing` is how many of its rows in the whole trace are under (no stack), of Frees none if
/// no release has one. Losses that may concern any table stay. Goes through the rows only if stacks are missing. Any
/// thread.
[[nodiscard]] HealthReport healthOf(const store::PublishedTrace& trace, Table table);

} // namespace highwater::analysis
