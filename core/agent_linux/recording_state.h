#pragma once

#include "core/agent_linux/channel_layout.h"
#include "core/agent_linux/ticks.h"

namespace highwater::agent {

/// What this process knows of the channel that it writes to. One for the process; written when recording starts and in
/// a forked child, read by every hook.
struct Recording {
    /// What `owner` points to. The kernel zeroes that page in a forked child, however it was forked. From kPaused on:
    /// this process again when the restrictions that are under way (see there) have ended, which are one more than the
    /// distance from it, unless one of them stays.
    enum Owner : std::uint32_t { kUnknown = 0, kThisProcess = 1, kNobody = 2, kPaused = 3 };

    const std::atomic<std::uint32_t>* owner = nullptr;
    ChannelView channel;
    TickClock clock = TickClock::Monotonic;
    std::uint32_t options = 0;
    std::uint64_t baseTick = 0;
    std::uint32_t processSlot = 0;
    std::atomic<std::uint32_t> pid{0};        ///< as this process sees itself, in its pid namespace
    std::uint32_t readerPid = 0;              ///< in that of the reader; 0: unknown
    std::atomic<std::uint32_t> generation{0}; ///< another one in a forked child: its threads' rings are its parent's
    std::atomic<std::uint64_t> seed{0};       ///< of stack keys; another one when code was unloaded

    /// Threads of this process that have written to a ring, those that have ended, too.
    std::atomic<std::uint32_t> threadsOpened{0};

    [[nodiscard]] std::uint64_t tick() const { return ticksNow(clock) - baseTick; }
    /// Of an event. A loose time may be too early: before the event of another thread whose effect this one has seen.
    /// As long as one thread only has had any, there is no such event. (Who sees its effect sees the count, too, which
    /// was raised before it.)
    [[nodiscard]] std::uint64_t eventTick() const {
        const bool isAlone = threadsOpened.load(std::memory_order_relaxed) < 2;
        return ticksNow(clock, isAlone ? TickOrder::Loose : TickOrder::AfterAll) - baseTick;
    }
};

extern Recording recording;

/// The number that a thread of this process has in the reader's pid namespace; 0: it cannot be found out. The thread
/// itself asks.
[[nodiscard]] std::uint32_t threadNumberForReader(std::uint32_t tid);

} // namespace highwater::agent
