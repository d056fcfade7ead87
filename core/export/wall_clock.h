#pragma once

#include "core/base/units.h"
#include "core/event/trace_properties.h"

#include <cstdint>
#include <optional>
#include <string>

namespace highwater::exports {

/// A time in 100 ns since 1601 as a date: "2024-05-01 14:02:33.1234567", with `between` before the time of day and that
/// many decimals (1 to 7), truncated like on a clock. Years 1 to 9999 have four digits.
[[nodiscard]] std::string calendarText(std::int64_t fileTime, char between, int decimals);

/// The offset of a zone to UTC: "+01:00". `biasMinutes`: UTC = local + bias.
[[nodiscard]] std::string zoneText(std::int32_t biasMinutes);

/// The local time of a recording, with the time zone offset at its start. A plain value.
class WallClock {
  public:
    /// nullopt: the start time is missing or invalid.
    [[nodiscard]] static std::optional<WallClock> of(const TraceProperties& properties);

    /// The same clock whose texts include the zone: "2024-05-01 14:02:33.1234567+02:00".
    [[nodiscard]] WallClock withZone() const {
        auto clock = *this;
        clock.showsZone_ = true;
        return clock;
    }
    /// "UTC+02:00"
    [[nodiscard]] std::string zone() const { return "UTC" + zoneText(biasMinutes_); }

    /// "2024-05-01 14:02:33.1234567". Not for kBeforeTrace and kNever.
    [[nodiscard]] std::string text(TraceTime time) const;

  private:
    WallClock(std::int64_t localTicks, std::int32_t biasMinutes) : localTicks_(localTicks), biasMinutes_(biasMinutes) {}
    std::int64_t localTicks_; ///< at time 0, 100 ns since 1601
    std::int32_t biasMinutes_;
    bool showsZone_ = false;
};

} // namespace highwater::exports
