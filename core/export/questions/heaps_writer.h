#pragma once

#include "core/analysis/heaps/heap_list.h"
#include "core/event/trace_health.h"

#include <ostream>

namespace highwater::exports {

/// Of the heaps the first `most`. Errors are those of the stream.
void writeHeapsText(const analysis::HeapList& list, std::size_t most, std::ostream& out);
/// A line each.
void writeHeapsCsv(const analysis::HeapList& list, std::size_t most, std::ostream& out);
/// The shape of docs/command-line.md, with the health of the trace.
void writeHeapsJson(const analysis::HeapList& list, std::size_t most, const HealthReport& health, std::ostream& out);

} // namespace highwater::exports
