#pragma once

#include <cstdint>
#include <filesystem>

namespace highwater::benchmarks {

/// A file as heaptrack_interpret writes it: a program that allocates at random places and frees at random.
struct HeaptrackFileShape {
    std::uint64_t allocations = 5'000'000; ///< and as many frees, less the outstanding blocks
    std::uint32_t outstanding = 65'536;
    std::uint32_t stacks = 256;
    std::uint32_t sizes = 8; ///< allocation sizes of each stack
};

/// Writes the file, compressed as heaptrack does it, or reuses the one that an earlier run left in the temporary
/// folder. Aborts with a message on failure.
[[nodiscard]] std::filesystem::path heaptrackFile(const HeaptrackFileShape& shape);

} // namespace highwater::benchmarks
