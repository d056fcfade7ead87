#include "core/export/info/clock_text.h"

#include "core/export/wall_clock.h"

namespace highwater::exports {
namespace {

constexpr std::int32_t kMostMinutes = 24 * 60;
constexpr std::int64_t kTicksPerMinute = 600'000'000;
constexpr std::int64_t kMostTicks = std::int64_t{1} << 62; ///< far beyond any clock; leaves room for a time zone

} // namespace

std::optional<std::string> clockText(std::int64_t fileTime, std::int32_t biasMinutes) {
    if (fileTime <= 0 || fileTime > kMostTicks) return std::nullopt;
    const auto bias = biasMinutes >= -kMostMinutes && biasMinutes <= kMostMinutes ? biasMinutes : 0;
    return calendarText(fileTime - bias * kTicksPerMinute, 'T', 3) + zoneText(bias);
}

} // namespace highwater::exports
