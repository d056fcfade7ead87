#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace highwater::source {

/// What the Linux agent says happened in a recorded process. `address`, `size`, `oldAddress`, `oldSize` of an
/// AgentEvent mean what stands here; those that are not named are 0.
enum class AgentOp : std::uint8_t {
    Allocate,          ///< address, size (as asked for)
    Free,              ///< address
    Reallocate,        ///< the block stayed where it is: address = oldAddress, the new size
    ReallocateRelease, ///< first half of a realloc that moves: the block at address ends. Its time is before the call.
    ReallocateMake,    ///< second half, same thread, same stack: address, size; oldAddress is the block that ended
    Map,               ///< mmap: address, size, protection (PROT_*), flags (MAP_*)
    Unmap,             ///< munmap: address, size
    Remap,      ///< mremap: address, size, oldAddress, oldSize. Other threads may have used the old pages before.
    Protect,    ///< mprotect: address, size, protection
    Advise,     ///< madvise: address, size, flags (MADV_DONTNEED or MADV_FREE)
    Break,      ///< brk, sbrk: address is the new end, oldAddress the one before
    Stack,      ///< defines stackKey for this pid; detail.frames. Before the first event with that key.
    Module,     ///< address, size, detail.path, detail.buildId; flags 1: the program itself. May come twice.
    ModuleGone, ///< address
    ThreadStart,
    ThreadEnd,
    ThreadName,   ///< it has another name: detail.path
    ProcessStart, ///< oldAddress: the parent's pid; flags 0: a program started (exec); 1: forked, has its parent's
                  ///< blocks; 2: it ran already, with blocks that nobody saw
    ProcessEnd,   ///< flags 1: the pid goes on as another program (exec); else it ended
    Lost,         ///< size events of this thread are missing: between oldAddress and address, in ns as `timeNs`
};
[[nodiscard]] const char* name(AgentOp op);

/// What does not fit into an AgentEvent; few of them have it.
struct AgentDetail {
    std::vector<Address> frames; ///< return addresses, innermost first
    std::string path;            ///< or a name
    std::vector<std::uint8_t> buildId;
};

/// One event, in the order of time. `detail` is valid as long as the batch that the event came in.
struct AgentEvent {
    std::int64_t timeNs = 0; ///< CLOCK_MONOTONIC; never before that of the event before it
    std::uint32_t pid = 0;
    std::uint32_t tid = 0;
    AgentOp op = AgentOp::Allocate;
    std::uint8_t protection = 0;
    std::uint32_t flags = 0;
    Address address = 0;
    ByteCount size = 0;
    Address oldAddress = 0;
    ByteCount oldSize = 0;
    std::uint64_t stackKey = 0; ///< 0: no stack. Keys of two processes are never equal.
    const AgentDetail* detail = nullptr;
};

} // namespace highwater::source
