#pragma once

#include "core/analysis/balance/memory_layer.h"
#include "core/base/units.h"

#include <cstdint>
#include <string>

namespace highwater::analysis {

/// What the parts of a balance are named by.
enum class PartsBy : std::uint8_t {
    Mapping,
    Module, ///< the program or library to which the memory belongs; memory of none is named by its mapping
};

/// A layer's share of all mappings, or of everything of a module, with one name. Sizes of a mapping with several layers
/// are divided among them in proportion to the resident bytes, so that they add up.
struct BalancePart {
    MemoryLayer layer = MemoryLayer::Unknown;
    std::string name; ///< "[heap]", "/usr/lib/libc.so.6"; anonymous mappings: "(anonymous)"
    ByteCount resident = 0;
    ByteCount proportional = 0; ///< Pss
    ByteCount privateDirty = 0;
    ByteCount swapped = 0;
    ByteCount reserved = 0;     ///< address space
    std::uint64_t mappings = 0; ///< number of mappings that have a share in it

    /// Adds the sizes; layer and name stay.
    BalancePart& operator+=(const BalancePart& other) {
        resident += other.resident;
        proportional += other.proportional;
        privateDirty += other.privateDirty;
        swapped += other.swapped;
        reserved += other.reserved;
        mappings += other.mappings;
        return *this;
    }
};

/// Heaps of glibc for threads: each arena but the first has at least one.
struct ThreadHeaps {
    std::uint64_t count = 0; ///< that are not full: usually one for each arena
    ByteCount free = 0;      ///< their part of HeldFree and Returnable
    friend bool operator==(const ThreadHeaps&, const ThreadHeaps&) = default;
};

/// The layers of a process at one sample. layers.sum() is `resident`.
struct BalancePoint {
    TraceTime time; ///< time of the sample
    ByteCount resident = 0;
    ByteCount swapped = 0;
    LayerBytes layers;
    ThreadHeaps threadHeaps;
    friend bool operator==(const BalancePoint&, const BalancePoint&) = default;
};

} // namespace highwater::analysis
