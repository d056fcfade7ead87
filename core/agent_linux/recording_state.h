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
    std::atomic<std::uint32_t> pid{0};
    std::atomic<std::uint32_t> generation{0}; ///< another one in a forked child: its threads' rings are its parent's
    std::atomic<std::uint64_t> seed{0};       ///< of stack keys; another one when code was unloaded

    [[nodiscard]] std::uint64_t tick() const { return ticksNow(clock) - baseTick; }
};

extern Recording recording;

} // namespace highwater::agent
