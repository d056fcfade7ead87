#pragma once

#include <cstdint>
#include <ctime>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace highwater::agent {

/// Which clock a channel's ticks come from.
enum class TickClock { Tsc, Monotonic };

[[nodiscard]] inline std::uint64_t monotonicNs() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

/// Now, in the channel's unit: after everything that stands before it has happened (another thread's event that this
/// one has seen the effect of must have an earlier time; the plain instruction would be done ahead of a waiting load).
/// Never blocks, does not touch errno.
[[nodiscard]] inline std::uint64_t ticksNow(TickClock clock) {
#if defined(__x86_64__)
    unsigned processor = 0;
    if (clock == TickClock::Tsc) return __rdtscp(&processor);
#endif
    static_cast<void>(clock);
    return monotonicNs();
}

} // namespace highwater::agent
