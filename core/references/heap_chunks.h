#pragma once

#include "core/event/resident_sample.h"
#include "core/references/process_memory.h"

#include <stop_token>

namespace highwater::references {

/// Follows the chunks of "[heap]", and of the heaps that glibc makes for threads, from the first to the last, and the
/// lists of free chunks (of arenas and of threads). A heap that is not followed to its end has no blocks in the result,
/// for example because a thread was stopped while it changed it, or because the program grows "[heap]" itself. Blocks
/// with a mapping of their own are found from the start of a mapping on, and behind each other.
///
/// For glibc from 2.26 on (x86-64). Free chunks that a thread keeps to itself are only recognized from 2.30 to 2.41.
/// Memory of other allocators has no heap of this form. The contents may be anything. Time: linear in the size of the
/// heaps, which are read once. Memory: 16 bytes per chunk. Stops early, with a part of the result, when requested. Any
/// thread.
[[nodiscard]] HeapChunks findHeapChunks(const ResidentSample& mappings, const ReadMemory& read,
                                        const std::stop_token& stop);

} // namespace highwater::references
