#include "core/export/wall_clock.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

namespace highwater::exports {

namespace chrono = std::chrono;

std::optional<WallClock> WallClock::of(const TraceProperties& properties) {
    constexpr std::int64_t kLatest = 2'650'467'743'999'999'999; // year 9999
    constexpr std::int32_t kMostMinutes = 48 * 60;
    constexpr std::int64_t kTicksPerMinute = 600'000'000;
    const auto bias = properties.biasMinutes;
    const bool isSensible = properties.startFileTime > 0 && properties.startFileTime <= kLatest &&
                            bias >= -kMostMinutes && bias <= kMostMinutes;
    if (!isSensible) return std::nullopt;
    return WallClock(properties.startFileTime - bias * kTicksPerMinute);
}

std::string WallClock::text(TraceTime time) const {
    using Ticks = chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;
    constexpr std::int64_t kSecondsTo1970 = 11'644'473'600;
    const Ticks ticks{localTicks_ + chrono::floor<Ticks>(chrono::nanoseconds{time.ns}).count()};
    const auto second = chrono::floor<chrono::seconds>(ticks);
    const chrono::sys_seconds clock{second - chrono::seconds{kSecondsTo1970}};
    const auto day = chrono::floor<chrono::days>(clock);
    const chrono::year_month_day date{day};
    const chrono::hh_mm_ss timeOfDay{clock - day};
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:07}", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                       timeOfDay.hours().count(), timeOfDay.minutes().count(), timeOfDay.seconds().count(),
                       (ticks - second).count());
}

} // namespace highwater::exports
