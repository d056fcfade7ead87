#pragma once

#include <atomic>
#include <cstdint>

namespace highwater {

/// How far a long piece of work is: written by the worker, read by anyone, without a lock.
/// total is 0 while it is not known. Units are whatever the worker counts (bytes of a file).
struct Progress {
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> total{0};
};

} // namespace highwater
