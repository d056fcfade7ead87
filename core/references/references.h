#pragma once

#include "core/base/result.h"
#include "core/event/memory_picture.h"
#include "core/references/process_memory.h"

#include <stop_token>

namespace highwater::references {

/// Finds which blocks the roots of the process (root_areas.h, variable_areas.h) can reach, what holds each block
/// (marking.h), what dominates it (dominators.h), and its class (object_types.h). The time, pid and unread threads of
/// the picture are left to the caller. Reads blocks and root areas once, with two threads. The result does not depend
/// on the threads.
///
/// A word refers to a block if it is at a multiple of 8 and within the requested bytes of the block; one past the end
/// is not. Blocks that end behind the address space end there. Memory: per block the 32 bytes of the picture and about
/// 40 more until this returns, and 8 bytes per reference. Errors: Cancelled; Unsupported (2^31 blocks, 2^32 references,
/// 2^29 roots, invalid mappings); Io (out of memory). Any thread.
[[nodiscard]] Result<MemoryPicture> findReferences(Memory memory, const std::stop_token& stop = {});

} // namespace highwater::references
