#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace highwater::source {

/// Events that the Linux agent reports. The comments list the used fields among `address`, `size`, `oldAddress`,
/// `oldSize` of an AgentEvent, with their meaning; the others are 0.
enum class AgentOp : std::uint8_t {
    Allocate,          ///< address, requested size
    Free,              ///< address
    Reallocate,        ///< resized in place: address = oldAddress, the new size
    ReallocateRelease, ///< first half of a moving realloc: the block at address ends. Its time is before the call.
    ReallocateMake,    ///< second half, same thread, same stack: address, size; oldAddress is the ended block
    Map,               ///< mmap: address, size, protection (PROT_*), flags (MAP_*)
    Unmap,             ///< munmap: address, size
    Remap,      ///< mremap: address, size, oldAddress, oldSize. Other threads may already have used the old pages.
    Protect,    ///< mprotect: address, size, protection
    Advise,     ///< madvise: address, size, flags (MADV_DONTNEED or MADV_FREE)
    Break,      ///< brk, sbrk: address is the new end, oldAddress the previous one
    Stack,      ///< defines stackKey for this pid; detail.frames. Precedes the first event with that key.
    Module,     ///< address, size, detail.path, detail.buildId; flags 1: the program itself. May be reported twice.
    ModuleGone, ///< address
    ThreadStart,
    ThreadEnd,
    ThreadName,   ///< new name in detail.path
    ProcessStart, ///< oldAddress: the parent's pid; flags 0: a program started (exec); 1: forked, with its parent's
                  ///< blocks; 2: already running, with unknown earlier blocks
    ProcessEnd,   ///< flags 1: the pid continues as another program (exec); otherwise the process ended
    Lost,         ///< size events of this thread are missing between oldAddress and address, in ns like `timeNs`
};
[[nodiscard]] const char* name(AgentOp op);

/// Rarely used data of an AgentEvent.
struct AgentDetail {
    std::vector<Address> frames; ///< return addresses, innermost first
    std::string path;            ///< path or name
    std::vector<std::uint8_t> buildId;
};

/// One event, in time order. `detail` is valid as long as the batch of the event.
struct AgentEvent {
    std::int64_t timeNs = 0; ///< CLOCK_MONOTONIC; never decreases from event to event
    std::uint32_t pid = 0;
    std::uint32_t tid = 0;
    AgentOp op = AgentOp::Allocate;
    std::uint8_t protection = 0;
    std::uint32_t flags = 0;
    Address address = 0;
    ByteCount size = 0;
    Address oldAddress = 0;
    ByteCount oldSize = 0;
    std::uint64_t stackKey = 0; ///< 0: no stack. Keys of different processes are never equal.
    const AgentDetail* detail = nullptr;
};

} // namespace highwater::source
