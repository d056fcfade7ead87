#include "core/export/info/clock_text.h"

#include <fmt/format.h>

#include <chrono>

namespace highwater::exports {
namespace {

using FileTicks = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;

constexpr std::int32_t kMostMinutes = 24 * 60;
constexpr std::int64_t kMostTicks = std::int64_t{1} << 62; ///< far beyond any clock, and room for a zone

} // namespace

std::optional<std::string> clockText(std::int64_t fileTime, std::int32_t biasMinutes) {
    if (fileTime <= 0 || fileTime > kMostTicks) return std::nullopt;
    const auto bias = biasMinutes >= -kMostMinutes && biasMinutes <= kMostMinutes ? biasMinutes : 0;
    const auto local = FileTicks(fileTime) - std::chrono::minutes(bias);
    const auto days = std::chrono::floor<std::chrono::days>(local);
    const std::chrono::year_month_day date(
        std::chrono::sys_days(std::chrono::year{1601} / std::chrono::January / 1) + days);
    const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::milliseconds>(local - days));
    const auto ahead = -bias;
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}{}{:02}:{:02}", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), time.hours().count(),
                       time.minutes().count(), time.seconds().count(), time.subseconds().count(),
                       ahead < 0 ? '-' : '+', (ahead < 0 ? -ahead : ahead) / 60, (ahead < 0 ? -ahead : ahead) % 60);
}

} // namespace highwater::exports
