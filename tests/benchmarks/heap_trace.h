#pragma once

#include <cstdint>
#include <filesystem>

namespace highwater::benchmarks {

/// A heap-shaped trace: allocations and frees of one process, each with its stack of 8 to 32 frames out of
/// `distinctStacks`.
struct HeapTraceShape {
    /// The writer of the trace: ETW, with the frames in each StackWalk record (about 250 bytes per event), or
    /// Highwater, where the agent's records refer to stacks by keys.
    enum class Form : std::uint8_t { Windows, Highwater };

    std::uint64_t allocations = 2'000'000; ///< and as many frees, less the outstanding blocks
    std::uint64_t outstanding = 200'000;
    std::uint32_t distinctStacks = 20'000;
    bool compressed = false;
    Form form = Form::Windows;
    bool stacksOnFree = true;
    std::uint16_t threads = 4;         ///< that take turns at random, on as many processors
    std::uint32_t sameStackInARow = 1; ///< allocations: as if in a loop
};

/// Allocations and frees per second, by the times of the records.
inline constexpr double kHeapTraceEventsPerSecond = 10e6 / 3;

/// Writes the trace, or reuses the one that an earlier run left in the temporary folder. Aborts with a message on
/// failure.
[[nodiscard]] std::filesystem::path heapTrace(const HeapTraceShape& shape);

} // namespace highwater::benchmarks
