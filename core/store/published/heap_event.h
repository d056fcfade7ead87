#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/event/memory_events.h"

#include <cstdint>

namespace highwater::store {

/// What happened to a heap as a whole, as it was recorded: it was made, destroyed, or got or gave back address space.
/// In the order of delivery. Its process is the instance of the pid that lived at the time: which one that is may come
/// to light later.
struct HeapEvent {
    TraceTime time;
    Address heap = 0;    ///< handle
    Address address = 0; ///< ranges only
    ByteCount size = 0;  ///< ranges only
    std::uint32_t pid = 0;
    StackId stack; ///< of HeapCreate and HeapDestroy; 0 for ranges
    ThreadId thread;
    MemoryOperation operation = MemoryOperation::HeapCreate; ///< HeapCreate, HeapDestroy, or HeapRange*
    std::uint8_t reserved[19] = {};
};
static_assert(sizeof(HeapEvent) == 64);

/// A program that makes more heaps than this has its later ones without a creator and ranges.
inline constexpr std::uint64_t kMostHeapEvents = std::uint64_t{1} << 20;

} // namespace highwater::store
