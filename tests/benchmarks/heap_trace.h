#pragma once

#include <cstdint>
#include <filesystem>

namespace highwater::benchmarks {

/// A heap-shaped trace: allocations and frees of one process on four processors, each with its StackWalk record of 8 to
/// 32 frames out of `distinctStacks`; about 250 bytes a pair of records.
struct HeapTraceShape {
    std::uint64_t allocations = 2'000'000; ///< and as many frees, less what stays outstanding
    std::uint64_t outstanding = 200'000;
    std::uint32_t distinctStacks = 20'000;
    bool compressed = false;
};

/// Writes the trace, or takes the one that an earlier run left in the temporary folder. Aborts with a message on failure.
[[nodiscard]] std::filesystem::path heapTrace(const HeapTraceShape& shape);

} // namespace highwater::benchmarks
