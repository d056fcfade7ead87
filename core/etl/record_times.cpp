#include "core/etl/record_times.h"

#include <algorithm>
#include <optional>

namespace highwater::etl {
namespace {

constexpr std::int64_t kDay = 24 * 60 * 60, kYear = 366 * kDay, kSlackBehindEnd = 600, kLeap = 10;
/// A header with a slower clock is itself damaged.
constexpr std::int64_t kSlowestClock = 1000;
constexpr std::int64_t kFileTimePerSecond = 10'000'000;

std::int64_t ticksIn(std::int64_t seconds, std::int64_t ticksPerSecond) {
    std::int64_t ticks = 0;
    const bool isTooMany = __builtin_mul_overflow(seconds, ticksPerSecond, &ticks);
    return isTooMany ? std::numeric_limits<std::int64_t>::max() : ticks;
}

std::int64_t sum(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (!__builtin_add_overflow(a, b, &result)) return result;
    return a < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

class TimeRepair {
  public:
    TimeRepair(std::vector<RecordExtent>& records, const TimeLimits& limits) : records_(records), limits_(limits) {}

    std::uint64_t run() {
        std::uint64_t damaged = 0;
        std::optional<std::int64_t> before;
        std::size_t firstGood = 0;
        for (std::size_t i = 0; i < records_.size(); ++i) {
            if (!isDamaged(i, before)) {
                if (!before) firstGood = i;
                before = records_[i].ticks;
                continue;
            }
            ++damaged;
            if (before) records_[i].ticks = *before;
        }
        if (!before) return 0; // there is no reference
        for (std::size_t i = 0; i < firstGood; ++i)
            records_[i].ticks = records_[firstGood].ticks;
        return damaged;
    }

  private:
    /// 0 is not a time but marks records without one.
    [[nodiscard]] bool isOutside(std::int64_t ticks) const {
        return ticks > limits_.latest || (ticks < limits_.earliest && ticks != 0);
    }
    [[nodiscard]] bool isDamaged(std::size_t i, std::optional<std::int64_t> before) const {
        const auto ticks = records_[i].ticks;
        if (isOutside(ticks)) return true;
        if (!before || i + 1 == records_.size()) return false;
        const auto after = records_[i + 1].ticks;
        if (after < *before) return false;
        const bool isLeap = ticks > sum(after, limits_.leap);
        // With its recorded time, a free would come before its allocation, and a stack would match another record.
        const bool isLeapBack = sum(ticks, limits_.leap) < *before;
        return isLeap || isLeapBack;
    }

    std::vector<RecordExtent>& records_;
    const TimeLimits& limits_;
};

} // namespace

TimeLimits timeLimitsOf(const TraceHeader& header, bool trustsEnd) {
    const auto speed = ticksPerSecondOf(header);
    // Times of data that was appended after a restart of the system are unrelated to the header.
    if (speed < kSlowestClock || (header.logMode & log_mode::kAppend) != 0) return {};
    const bool hasEnd =
        trustsEnd && header.isClosed() && header.startFileTime > 0 && header.endFileTime >= header.startFileTime;
    const auto seconds =
        hasEnd ? (header.endFileTime - header.startFileTime) / kFileTimePerSecond + kSlackBehindEnd : kYear;
    return {sum(header.ticks, -ticksIn(kDay, speed)), sum(header.ticks, ticksIn(seconds, speed)),
            ticksIn(kLeap, speed)};
}

std::uint64_t repairTimes(std::vector<RecordExtent>& records, const TimeLimits& limits) {
    return TimeRepair(records, limits).run();
}

} // namespace highwater::etl
