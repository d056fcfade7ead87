#pragma once

#include "core/base/units.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace highwater {

/// The parts of a managed heap, in the order in which GCHeapStats tells them.
enum class GcGeneration : std::uint8_t { Gen0, Gen1, Gen2, Large, Pinned };
inline constexpr std::size_t kGcGenerations = 5;

/// What the garbage collector of a CLR says of its heap (docs/etl-format.md 6.7). Allocations are MemoryEvents.
struct GcEvent {
    enum class Kind : std::uint8_t {
        Sizes,          ///< how large each generation is, after a collection
        SegmentCreated, ///< it has these addresses from now on
        SegmentFreed,   ///< and no more; the size is not told
    };
    TraceTime time;
    Kind kind = Kind::Sizes;
    std::uint32_t pid = 0;
    Address address = 0; ///< of segments
    ByteCount size = 0;  ///< of SegmentCreated
    std::array<ByteCount, kGcGenerations> sizes{};
    std::size_t generations = 0; ///< how many of the sizes are told: old runtimes have no heap of pinned objects
};

} // namespace highwater
