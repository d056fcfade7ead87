#pragma once

#include <atomic>
#include <cstdint>

namespace highwater {

/// Progress of a long operation: written by the worker, read by any thread, without a lock. total is 0 while unknown.
/// The worker defines the unit (for example, bytes of a file).
struct Progress {
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> total{0};
};

} // namespace highwater
