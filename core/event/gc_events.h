#pragma once

#include "core/base/units.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace highwater {

/// The generations of a managed heap, in the order of GCHeapStats.
enum class GcGeneration : std::uint8_t { Gen0, Gen1, Gen2, Large, Pinned };
inline constexpr std::size_t kGcGenerations = 5;

/// An event of a CLR garbage collector about its heap (docs/etl-format.md 6.7). Allocations are MemoryEvents.
struct GcEvent {
    enum class Kind : std::uint8_t {
        Sizes,          ///< the size of each generation after a collection
        SegmentCreated, ///< a segment was created
        SegmentFreed,   ///< a segment was freed; its size is not reported
    };
    TraceTime time;
    Kind kind = Kind::Sizes;
    std::uint32_t pid = 0;
    Address address = 0; ///< address of the segment
    ByteCount size = 0;  ///< for SegmentCreated
    std::array<ByteCount, kGcGenerations> sizes{};
    std::size_t generations = 0; ///< number of reported sizes; old runtimes have no heap of pinned objects
};

} // namespace highwater
