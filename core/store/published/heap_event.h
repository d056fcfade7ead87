#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/event/memory_events.h"

#include <cstdint>

namespace highwater::store {

/// A recorded event of a whole heap: it was created or destroyed, or it reserved or released address space. In order of
/// delivery. Its process is the instance of the pid that lived at the time, which may be determined later.
struct HeapEvent {
    TraceTime time;
    Address heap = 0;    ///< handle
    Address address = 0; ///< ranges only
    ByteCount size = 0;  ///< ranges only
    std::uint32_t pid = 0;
    StackId stack; ///< only for HeapCreate and HeapDestroy; 0 for ranges
    ThreadId thread;
    MemoryOperation operation = MemoryOperation::HeapCreate; ///< HeapCreate, HeapDestroy, or HeapRange*
    std::uint8_t reserved[19] = {};
};
static_assert(sizeof(HeapEvent) == 64);

/// Heaps created after this number have no creator and no ranges.
inline constexpr std::uint64_t kMostHeapEvents = std::uint64_t{1} << 20;

} // namespace highwater::store
