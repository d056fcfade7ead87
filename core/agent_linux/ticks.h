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

/// Which of a thread's own instructions a time comes behind.
enum class TickOrder {
    AfterAll, ///< all that stand before it
    Loose,    ///< perhaps some that stand close behind it, while those before it still wait for memory
};

/// Now, in the channel's unit. After all: after everything that stands before it has happened (another thread's event
/// that this one has seen the effect of must have an earlier time; the plain instruction would be done ahead of a
/// waiting load). Never blocks, does not touch errno.
[[nodiscard]] inline std::uint64_t ticksNow(TickClock clock, TickOrder order = TickOrder::AfterAll) {
#if defined(__x86_64__)
    unsigned processor = 0;
    if (clock == TickClock::Tsc) return order == TickOrder::Loose ? __rdtsc() : __rdtscp(&processor);
#endif
    static_cast<void>(clock);
    static_cast<void>(order);
    return monotonicNs();
}

} // namespace highwater::agent
