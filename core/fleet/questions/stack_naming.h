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

// What becomes of stacks and their samples when functions get names, the same in all engines.

/// A function of a stack as stores have it.
struct CalledFrame {
    std::string name;
    std::string buildId; ///< of one without a name
    bool isNamed = false;
    std::int64_t id = 0; ///< the engine's own
};
/// Innermost first.
struct CalledStack {
    std::vector<CalledFrame> frames;
    std::size_t owner = 0; ///< which of them
};

/// Over its functions (core/summary/stack_key.h).
[[nodiscard]] summary::StackKey keyOf(std::span<const CalledFrame> frames);

/// What a function is called now, innermost (inlined) first; null: as before.
using NamesNow = std::function<const std::vector<CalledFrame>*(const CalledFrame&)>;
/// The stack by these names. What was no plumbing without a name may be some by its name: then the owner lies behind
/// it. Nothing: all its functions are called as before.
[[nodiscard]] std::optional<CalledStack> renamed(const CalledStack& stack, const NamesNow& namesNow,
                                                 const PlumbingTest& isPlumbing);

/// The numbers of a sample, in the order of the tables: alloc_space, alloc_objects, inuse_space, inuse_objects, freed,
/// peak, impacting, slope, first, last.
struct SampleNumbers {
    std::array<std::int64_t, 10> values{};

    /// Those of another stack that is the same one now. First and last are of rows that were allocated inside, if there
    /// are any.
    void add(const SampleNumbers& other);
    friend bool operator==(const SampleNumbers&, const SampleNumbers&) = default;
};

} // namespace highwater::fleet
