#pragma once

#include "core/fleet/contract/fleet_store.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace highwater::fleet {

// The effect of new function names on stacks and their samples, the same for all engines.

/// A function of a stack in a store.
struct CalledFrame {
    std::string name;
    std::string buildId; ///< for unnamed functions
    bool isNamed = false;
    std::int64_t id = 0; ///< the engine's id
};
/// Innermost first.
struct CalledStack {
    std::vector<CalledFrame> frames;
    std::size_t owner = 0; ///< index of the owner
};

/// The key of a stack, computed from its functions (core/summary/stack_key.h).
[[nodiscard]] summary::StackKey keyOf(std::span<const CalledFrame> frames);

/// Returns the new names of a function, innermost (inlined) first; nullptr: unchanged.
using NamesNow = std::function<const std::vector<CalledFrame>*(const CalledFrame&)>;
/// The stack with the new names. A function that turns out to be an allocator or runtime cannot be the owner, which is
/// then further out. nullopt: nothing changed.
[[nodiscard]] std::optional<CalledStack> renamed(const CalledStack& stack, const NamesNow& namesNow,
                                                 const PlumbingTest& isPlumbing);

/// The numbers of a sample in the order of the tables: alloc_space, alloc_objects, inuse_space, inuse_objects, freed,
/// peak, impacting, slope, first, last.
struct SampleNumbers {
    std::array<std::int64_t, 10> values{};

    /// Adds the numbers of a stack that became equal. First and last are those of rows that were allocated in the
    /// window, if there are any.
    void add(const SampleNumbers& other);
    friend bool operator==(const SampleNumbers&, const SampleNumbers&) = default;
};

} // namespace highwater::fleet
