#pragma once

#include "core/agent_linux/channel_layout.h"
#include "core/agent_linux/ticks.h"

namespace highwater::agent {

/// The state of this process with regard to its channel. One per process; written when recording starts and in a forked
/// child, read by every hook.
struct Recording {
    /// The value that `owner` points to. The kernel zeroes that page in any forked child. Values from kPaused on mean
    /// that this process is paused: it records again when the pending restrictions have ended, whose number is the
    /// distance from kPaused plus one, unless one of them is permanent.
    enum Owner : std::uint32_t { kUnknown = 0, kThisProcess = 1, kNobody = 2, kPaused = 3 };

    const std::atomic<std::uint32_t>* owner = nullptr;
    ChannelView channel;
    TickClock clock = TickClock::Monotonic;
    std::uint32_t options = 0;
    std::uint64_t baseTick = 0;
    std::uint32_t processSlot = 0;
    std::atomic<std::uint32_t> pid{0};        ///< pid in its own pid namespace
    std::uint32_t readerPid = 0;              ///< pid in the reader's namespace; 0: unknown
    std::atomic<std::uint32_t> generation{0}; ///< changes in a forked child: the rings are its parent's
    std::atomic<std::uint64_t> seed{0};       ///< seed of stack keys; changes when code is unloaded

    /// Number of threads of this process that have written to a ring, including ended ones.
    std::atomic<std::uint32_t> threadsOpened{0};

    [[nodiscard]] std::uint64_t tick() const { return ticksNow(clock) - baseTick; }
    /// The tick for an event. A loose time may be too early: before an event of another thread whose effect this thread
    /// has seen. While only one thread has written events, that cannot happen. (A thread that sees the effect also sees
    /// the count, which was increased before.)
    [[nodiscard]] std::uint64_t eventTick() const {
        const bool isAlone = threadsOpened.load(std::memory_order_relaxed) < 2;
        return ticksNow(clock, isAlone ? TickOrder::Loose : TickOrder::AfterAll) - baseTick;
    }
};

extern Recording recording;

/// The id of a thread of this process in the reader's pid namespace; 0: not available. Called by the thread itself.
[[nodiscard]] std::uint32_t threadNumberForReader(std::uint32_t tid);

} // namespace highwater::agent
