#include "core/export/wall_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace highwater::exports {

namespace chrono = std::chrono;

namespace {

using FileTicks = chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;

} // namespace

std::string calendarText(std::int64_t fileTime, char between, int decimals) {
    constexpr std::size_t kTickDigits = 7;
    const FileTicks ticks(fileTime);
    const auto days = chrono::floor<chrono::days>(ticks);
    const chrono::year_month_day date(chrono::sys_days(chrono::year{1601} / chrono::January / 1) + days);
    const auto seconds = chrono::floor<chrono::seconds>(ticks - days);
    const chrono::hh_mm_ss time(seconds);
    const auto fraction = fmt::format("{:07}", (ticks - days - seconds).count());
    return fmt::format("{:04}-{:02}-{:02}{}{:02}:{:02}:{:02}.{}", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), between,
                       time.hours().count(), time.minutes().count(), time.seconds().count(),
                       fraction.substr(0, std::min(kTickDigits, static_cast<std::size_t>(decimals))));
}

std::string zoneText(std::int32_t biasMinutes) {
    const auto ahead = biasMinutes < 0 ? -biasMinutes : biasMinutes;
    return fmt::format("{}{:02}:{:02}", biasMinutes > 0 ? '-' : '+', ahead / 60, ahead % 60);
}

std::optional<WallClock> WallClock::of(const TraceProperties& properties) {
    constexpr std::int64_t kLatest = 2'650'467'743'999'999'999; // year 9999
    constexpr std::int32_t kMostMinutes = 48 * 60;
    constexpr std::int64_t kTicksPerMinute = 600'000'000;
    const auto bias = properties.biasMinutes;
    const bool isSensible = properties.startFileTime > 0 && properties.startFileTime <= kLatest &&
                            bias >= -kMostMinutes && bias <= kMostMinutes;
    if (!isSensible) return std::nullopt;
    return WallClock(properties.startFileTime - bias * kTicksPerMinute, bias);
}

std::string WallClock::text(TraceTime time) const {
    auto text = calendarText(localTicks_ + chrono::floor<FileTicks>(chrono::nanoseconds{time.ns}).count(), ' ', 7);
    return showsZone_ ? std::move(text) + zoneText(biasMinutes_) : text;
}

} // namespace highwater::exports
