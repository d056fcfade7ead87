#pragma once

#include "core/base/units.h"
#include "core/event/trace_properties.h"

#include <cstdint>
#include <optional>
#include <string>

namespace highwater::exports {

/// A time in 100 ns since 1601 as a calendar has it: "2024-05-01 14:02:33.1234567", with `between` before the time of
/// day and so many decimals (1 to 7), cut off, not rounded, as clocks do. Years 1 to 9999 have four digits.
[[nodiscard]] std::string calendarText(std::int64_t fileTime, char between, int decimals);

/// The distance of a zone to UTC: "+01:00". `biasMinutes`: UTC = local + bias.
[[nodiscard]] std::string zoneText(std::int32_t biasMinutes);

/// The clock on the wall where a trace was recorded: local time, with the bias that its zone had when it began. A plain
/// value.
class WallClock {
  public:
    /// Nothing: the trace does not say when it was recorded, or what makes no sense.
    [[nodiscard]] static std::optional<WallClock> of(const TraceProperties& properties);

    /// The same clock whose times tell the zone, too: "2024-05-01 14:02:33.1234567+02:00".
    [[nodiscard]] WallClock withZone() const {
        auto clock = *this;
        clock.showsZone_ = true;
        return clock;
    }
    /// "UTC+02:00"
    [[nodiscard]] std::string zone() const { return "UTC" + zoneText(biasMinutes_); }

    /// "2024-05-01 14:02:33.1234567". Of times that are neither kBeforeTrace nor kNever.
    [[nodiscard]] std::string text(TraceTime time) const;

  private:
    WallClock(std::int64_t localTicks, std::int32_t biasMinutes) : localTicks_(localTicks), biasMinutes_(biasMinutes) {}
    std::int64_t localTicks_; ///< at time 0, 100 ns since 1601
    std::int32_t biasMinutes_;
    bool showsZone_ = false;
};

} // namespace highwater::exports
