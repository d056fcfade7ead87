#pragma once

#include <cstdint>
#include <ctime>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace highwater::agent {

/// The clock of a channel's ticks.
enum class TickClock { Tsc, Monotonic };

[[nodiscard]] inline std::uint64_t monotonicNs() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

/// Order of the time relative to other instructions of the thread.
enum class TickOrder {
    AfterAll, ///< after all preceding instructions
    Loose,    ///< perhaps after some of the following ones, while preceding ones still wait for memory
};

/// The current time in the channel's unit. AfterAll: after all preceding instructions have completed, so that an event
/// of another thread whose effect this thread has seen has an earlier time; the plain instruction could run ahead of a
/// waiting load. Never blocks, does not change errno.
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
