#pragma once

#include <cstdint>
#include <functional>

namespace highwater::source {

/// Two clocks at the same instant.
struct ClockPair {
    std::int64_t monotonicNs = 0; ///< CLOCK_MONOTONIC
    std::int64_t ticks = 0;       ///< the other one, whose rate is unknown but constant
};

/// Reads CLOCK_MONOTONIC and the other clock, to about 100 ns.
[[nodiscard]] ClockPair readTogether(const std::function<std::int64_t()>& clock);

/// The ticks at an instant between two readings; those of the nearest one outside of them.
[[nodiscard]] std::int64_t ticksAt(std::int64_t monotonicNs, const ClockPair& before, const ClockPair& after);

} // namespace highwater::source
