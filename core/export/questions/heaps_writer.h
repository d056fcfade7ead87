#pragma once

#include "core/analysis/heaps/heap_list.h"
#include "core/event/trace_health.h"

#include <ostream>

namespace highwater::exports {

/// Writes the first `most` heaps. Errors are those of the stream.
void writeHeapsText(const analysis::HeapList& list, std::size_t most, std::ostream& out);
/// One line per heap.
void writeHeapsCsv(const analysis::HeapList& list, std::size_t most, std::ostream& out);
/// docs/command-line.md specifies the format. Includes the health of the trace.
void writeHeapsJson(const analysis::HeapList& list, std::size_t most, const HealthReport& health, std::ostream& out);

} // namespace highwater::exports
