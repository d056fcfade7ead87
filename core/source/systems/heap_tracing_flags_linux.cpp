#include "core/source/contract/heap_tracing_flags.h"

namespace highwater::source {

bool hasHeapTracingFlags() { return false; }

std::vector<FlaggedProgram> programsWithHeapTracing() { return {}; }

Result<void> clearHeapTracing(const std::string&) {
    return Error{ErrorKind::Unsupported, "Heap tracing flags are available only on Windows."};
}

} // namespace highwater::source
