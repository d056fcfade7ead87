#pragma once

#include "core/base/units.h"
#include "core/store/published/process_table.h"

namespace highwater::pipeline {

/// Whether the process may have blocks at that time that it had before its recording began: it was attached, or is a
/// fork, and has not executed another program since. Its heaps are then roots of pictures of memory. Where the trace
/// does not say when it executed a program: true.
[[nodiscard]] bool mayHaveOlderBlocks(const store::ProcessInstance& process, TraceTime time);

} // namespace highwater::pipeline
