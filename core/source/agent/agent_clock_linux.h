#pragma once

#include "core/agent_linux/ticks.h"

#include <vector>

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
    /// The same for a tick whenever it is asked: what was recorded may be read late.
    [[nodiscard]] std::int64_t nsAt(std::uint64_t tick) const;
    /// Compares the clocks; at most once a second it does something.
    void adjust();

  private:
    agent::TickClock kind_ = agent::TickClock::Monotonic;
    std::uint64_t baseTick_ = 0;
    std::uint64_t firstNs_ = 0; ///< at baseTick_
    /// The speed from a comparison of the clocks to the next one.
    struct Span {
        std::uint64_t fromTick = 0;
        double fromNs = 0; ///< since firstNs_
        double nsPerTick = 1;
    };
    static constexpr std::size_t kMostSpans = 128;
    std::vector<Span> spans_{Span{}}; ///< the last ones, of a second each
};

} // namespace highwater::source
