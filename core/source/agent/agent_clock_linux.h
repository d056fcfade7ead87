#pragma once

#include "core/agent_linux/ticks.h"

#include <cstdint>

namespace highwater::source {

/// Turns ticks of a channel into nanoseconds of CLOCK_MONOTONIC. The processor's ticks are compared with that clock
/// again and again; a difference is made up for over the second that follows, so that time neither jumps nor goes back.
/// One thread.
class AgentClock {
  public:
    /// Measures the speed of the ticks for some milliseconds.
    AgentClock();

    [[nodiscard]] agent::TickClock kind() const { return kind_; }
    /// The tick that channels count from.
    [[nodiscard]] std::uint64_t baseTick() const { return baseTick_; }
    [[nodiscard]] std::uint64_t now() const { return agent::ticksNow(kind_) - baseTick_; }
    /// How many ticks that time has, about.
    [[nodiscard]] std::uint64_t ticksOf(std::int64_t ns) const;
    [[nodiscard]] std::int64_t nsAt(std::uint64_t tick) const;
    /// Compares the clocks; at most once a second it does something.
    void adjust();

  private:
    agent::TickClock kind_ = agent::TickClock::Monotonic;
    std::uint64_t baseTick_ = 0;
    std::uint64_t firstNs_ = 0; ///< at baseTick_
    std::uint64_t fromTick_ = 0;
    double fromNs_ = 0; ///< since firstNs_
    double nsPerTick_ = 1;
};

} // namespace highwater::source
