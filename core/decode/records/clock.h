#pragma once

#include "core/base/units.h"
#include "core/event/trace_properties.h"

#include <cstdint>

namespace highwater::decode {

/// Converts the time fields of records ("ticks") into nanoseconds since time 0. Ticks are not used outside this class.
/// Exact to the nanosecond (rounded down). Times further than 146 years from time 0 come from damaged files. They
/// saturate there so that the difference of any two times also fits. Immutable after construction: any thread.
class Clock {
  public:
    explicit Clock(const TraceProperties& properties);

    [[nodiscard]] TraceTime toTime(std::int64_t ticks) const {
        std::int64_t elapsedTicks = 0;
        std::int64_t ns = 0;
        if (nsPerTick_ != 0 && !__builtin_sub_overflow(ticks, firstTicks_, &elapsedTicks) &&
            !__builtin_mul_overflow(elapsedTicks, nsPerTick_, &ns) && ns >= kEarliestNs && ns <= kLatestNs) {
            return TraceTime{ns};
        }
        return toTimeExactly(ticks);
    }
    /// One tick later, but at least 1 ns: the end of a trace whose last record has these ticks.
    [[nodiscard]] TraceTime endAfter(std::int64_t lastTicks) const;
    /// The first ticks that are not before the time; saturates.
    [[nodiscard]] std::int64_t ticksAt(TraceTime time) const;
    /// Whole ticks in a duration, rounded down, saturating.
    [[nodiscard]] std::int64_t ticksIn(std::int64_t durationNs) const;

  private:
    static constexpr std::int64_t kLatestNs = (std::int64_t{1} << 62) - 2; ///< leaves room for the end after it
    static constexpr std::int64_t kEarliestNs = -kLatestNs;

    [[nodiscard]] TraceTime toTimeExactly(std::int64_t ticks) const;

    std::int64_t firstTicks_;
    std::int64_t ticksPerSecond_;
    std::int64_t nsPerTick_ = 0; ///< 0 if it is not a whole number
};

} // namespace highwater::decode
