#include "core/etl/time_zone.h"

#include "core/base/byte_reader.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <optional>

namespace highwater::etl {
namespace {

namespace chrono = std::chrono;
using ZoneBytes = std::span<const std::byte, kTimeZoneBytes>;

// Two names of 32 UTF-16 units are in between.
constexpr std::size_t kBiasAt = 0, kStandardDateAt = 68, kStandardBiasAt = 84, kDaylightDateAt = 152,
                      kDaylightBiasAt = 168;

/// A SYSTEMTIME: the date at which a part of the year begins, in the local time that is valid until then.
struct TransitionDate {
    std::uint16_t year, month, dayOfWeek, day, hour, minute, second;

    TransitionDate(ZoneBytes zone, std::size_t at) {
        const auto field = [&](std::size_t index) {
            return loadUnchecked<std::uint16_t>(zone.data() + at + 2 * index);
        };
        year = field(0), month = field(1), dayOfWeek = field(2), day = field(3);
        hour = field(4), minute = field(5), second = field(6);
    }

    /// The instant in a year, if the date is valid. Without its own year it is a weekday: the `day`th of the month, 5
    /// is the last.
    [[nodiscard]] std::optional<chrono::sys_seconds> in(chrono::year asked) const {
        if (month < 1 || month > 12 || dayOfWeek > 6 || hour > 23 || minute > 59 || second > 59) return std::nullopt;
        const auto time = chrono::hours{hour} + chrono::minutes{minute} + chrono::seconds{second};
        const auto month_ = chrono::month{month};
        if (year != 0) {
            const chrono::year_month_day absolute{chrono::year{year}, month_, chrono::day{day}};
            if (!absolute.ok()) return std::nullopt;
            return chrono::sys_days{absolute} + time;
        }
        if (day < 1 || day > 5) return std::nullopt;
        const chrono::weekday weekday_{dayOfWeek};
        if (day == 5) return chrono::sys_days{asked / month_ / weekday_[chrono::last]} + time;
        return chrono::sys_days{asked / month_ / weekday_[day]} + time;
    }
};

chrono::sys_seconds toUtc(std::int64_t fileTime) {
    constexpr std::int64_t kTicksPerSecond = 10'000'000;
    constexpr std::int64_t kSecondsTo1970 = 11'644'473'600;
    return chrono::sys_seconds{chrono::seconds{fileTime / kTicksPerSecond - kSecondsTo1970}};
}

/// Whether daylight saving time is in effect at an instant.
bool isDaylight(ZoneBytes zone, std::int64_t standard, std::int64_t daylight, chrono::sys_seconds utc) {
    const auto asked = chrono::year_month_day{chrono::floor<chrono::days>(utc - chrono::minutes{standard})}.year();
    const auto begins = TransitionDate(zone, kDaylightDateAt).in(asked);
    const auto ends = TransitionDate(zone, kStandardDateAt).in(asked);
    if (!begins || !ends) return false;
    const auto first = *begins + chrono::minutes{standard}, end = *ends + chrono::minutes{daylight};
    // In the southern hemisphere it is in effect over the new year.
    return first < end ? utc >= first && utc < end : utc >= first || utc < end;
}

} // namespace

std::int32_t biasAt(ZoneBytes zone, std::int64_t fileTime) {
    const auto minutesAt = [&](std::size_t at) { return std::int64_t{loadUnchecked<std::int32_t>(zone.data() + at)}; };
    const auto standard = minutesAt(kBiasAt) + minutesAt(kStandardBiasAt);
    const auto daylight = minutesAt(kBiasAt) + minutesAt(kDaylightBiasAt);
    constexpr std::int64_t kLatest = 2'650'467'743'999'999'999; // year 9999
    constexpr std::int64_t kMostMinutes = 48 * 60;              // maximum shift of dates that stays within the calendar
    const bool isSensible =
        fileTime > 0 && fileTime <= kLatest && std::abs(standard) <= kMostMinutes && std::abs(daylight) <= kMostMinutes;
    const auto bias = isSensible && isDaylight(zone, standard, daylight, toUtc(fileTime)) ? daylight : standard;
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(bias, std::numeric_limits<std::int32_t>::min(),
                                                              std::numeric_limits<std::int32_t>::max()));
}

} // namespace highwater::etl
