#pragma once

#include "core/event/copied_thread.h"
#include "core/event/resident_sample.h"
#include "core/references/process_memory.h"

#include <span>
#include <vector>

namespace highwater::references {

/// Finds the thread-local data of the threads of a 64-bit process of Windows, by their environment blocks
/// (CopiedThread::environmentBlock): the blocks themselves, which contain the first 64 slots of TlsAlloc(), the memory
/// of further slots, the list of static thread-local data, and this data of each module that is mapped. A thread whose
/// block does not refer to itself has none. Without overlaps. Time: threads x modules. Any thread.
[[nodiscard]] std::vector<ThreadLocalBlock>
readThreadEnvironments(const ResidentSample& mappings, std::span<const CopiedThread> threads, const ReadMemory& read);

} // namespace highwater::references
