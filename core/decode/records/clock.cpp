#include "core/decode/records/clock.h"

#include <algorithm>
#include <limits>

namespace highwater::decode {
namespace {

__extension__ typedef __int128 Wide; // NOLINT: ISO C++ has no name for it

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

Wide divideDown(Wide dividend, Wide divisor) {
    const Wide quotient = dividend / divisor;
    return dividend % divisor < 0 ? quotient - 1 : quotient;
}

std::int64_t clampTo(Wide value, std::int64_t low, std::int64_t high) {
    return static_cast<std::int64_t>(std::clamp(value, Wide{low}, Wide{high}));
}

} // namespace

// A frequency of 0 is an error of the source; Windows 10 and later use 10 MHz.
Clock::Clock(const TraceProperties& properties)
    : firstTicks_(properties.firstTicks),
      ticksPerSecond_(properties.ticksPerSecond > 0 ? properties.ticksPerSecond : 10'000'000) {
    if (kNsPerSecond % ticksPerSecond_ == 0) nsPerTick_ = kNsPerSecond / ticksPerSecond_;
}

// The difference has at most 65 bits and 1e9 has 30: the product fits.
TraceTime Clock::toTimeExactly(std::int64_t ticks) const {
    const Wide elapsedTicks = Wide{ticks} - firstTicks_;
    return TraceTime{clampTo(divideDown(elapsedTicks * kNsPerSecond, ticksPerSecond_), kEarliestNs, kLatestNs)};
}

TraceTime Clock::endAfter(std::int64_t lastTicks) const {
    const auto last = toTime(lastTicks);
    const auto next = lastTicks == std::numeric_limits<std::int64_t>::max() ? last : toTime(lastTicks + 1);
    return std::max(next, TraceTime{last.ns + 1});
}

std::int64_t Clock::ticksAt(TraceTime time) const {
    const Wide elapsedTicks = divideDown(Wide{time.ns} * ticksPerSecond_ + kNsPerSecond - 1, kNsPerSecond);
    return clampTo(elapsedTicks + firstTicks_, std::numeric_limits<std::int64_t>::min(),
                   std::numeric_limits<std::int64_t>::max());
}

std::int64_t Clock::ticksIn(std::int64_t durationNs) const {
    return clampTo(divideDown(Wide{durationNs} * ticksPerSecond_, kNsPerSecond),
                   std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
}

} // namespace highwater::decode
