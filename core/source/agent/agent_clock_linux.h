#pragma once

#include "core/agent_linux/ticks.h"

#include <vector>

#include <cstdint>

namespace highwater::source {

/// Converts ticks of a channel to nanoseconds of CLOCK_MONOTONIC. The processor's tick counter is compared with that
/// clock regularly. A difference is corrected gradually over the following second, so that time neither jumps nor goes
/// backwards. One thread.
class AgentClock {
  public:
    /// Measures the tick rate for some milliseconds.
    AgentClock();

    [[nodiscard]] agent::TickClock kind() const { return kind_; }
    /// The tick that channels use as their base.
    [[nodiscard]] std::uint64_t baseTick() const { return baseTick_; }
    [[nodiscard]] std::uint64_t now() const { return agent::ticksNow(kind_) - baseTick_; }
    /// The approximate number of ticks in a time.
    [[nodiscard]] std::uint64_t ticksOf(std::int64_t ns) const;
    /// The same result for a tick at any later time, because events may be read late.
    [[nodiscard]] std::int64_t nsAt(std::uint64_t tick) const;
    /// Compares the clocks, at most once a second.
    void adjust();

  private:
    agent::TickClock kind_ = agent::TickClock::Monotonic;
    std::uint64_t baseTick_ = 0;
    std::uint64_t firstNs_ = 0; ///< at baseTick_
    /// The tick rate between two comparisons of the clocks.
    struct Span {
        std::uint64_t fromTick = 0;
        double fromNs = 0; ///< since firstNs_
        double nsPerTick = 1;
    };
    static constexpr std::size_t kMostSpans = 128;
    std::vector<Span> spans_{Span{}}; ///< the latest ones, one second each
};

} // namespace highwater::source
