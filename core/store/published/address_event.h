#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"

#include <cstdint>

namespace highwater::store {

/// A recorded assignment or return of addresses of a process, in order of delivery. Its process is the instance of the
/// pid that lived at the time, which may be determined later.
struct AddressEvent {
    enum class Kind : std::uint8_t {
        SegmentCreated, ///< garbage collector heap
        SegmentFreed,   ///< the size is unknown
        StackBegan,     ///< thread stack
        StackFound,     ///< the same, for a thread that was already running
        StackEnded,
    };
    TraceTime time;
    Address address = 0;
    ByteCount size = 0;
    std::uint32_t pid = 0;
    ThreadId thread; ///< only for stacks
    Kind kind = Kind::SegmentCreated;
    std::uint8_t reserved[31] = {};
};
static_assert(sizeof(AddressEvent) == 64);

/// Later events have no owner.
inline constexpr std::uint64_t kMostAddressEvents = std::uint64_t{1} << 22;

} // namespace highwater::store
