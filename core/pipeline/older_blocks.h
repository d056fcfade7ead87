#pragma once

#include "core/base/units.h"
#include "core/store/published/process_table.h"
#include "core/store/published/published_trace.h"

namespace highwater::pipeline {

/// Whether the process may have blocks at that time that it had before its recording began: it was attached, or is a
/// fork, and has not executed another program since. Its heaps are then roots of pictures of memory. Where the trace
/// does not say when it executed a program: true.
[[nodiscard]] bool mayHaveOlderBlocks(const store::ProcessInstance& process, TraceTime time);

/// The same in a recording that is being made, on Linux (of the agent) or on Windows. There, a process has older blocks
/// if it was running before, or if it is a child of a recorded process, because heap tracing begins a moment after such
/// a child.
[[nodiscard]] bool mayHaveOlderBlocks(const store::PublishedTrace& trace, ProcessIndex process, TraceTime time);

} // namespace highwater::pipeline
