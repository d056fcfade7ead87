#pragma once

#include <atomic>
#include <cstdint>

namespace highwater::benchmarks {

/// The results of programs/large_heap, in a file that both programs map.
struct LargeHeap {
    std::atomic<std::uint64_t> isReady = 0;     ///< the heap is filled
    double seconds = 0;                         ///< duration of the work
    double ownSeconds = 0;                      ///< without the time in which other programs had the processors
    std::atomic<std::int64_t> longestGapNs = 0; ///< between two looks at the clock
};

} // namespace highwater::benchmarks
