#pragma once

#include "core/base/units.h"
#include "ui/format/time_base.h"

#include <QString>

namespace highwater::ui {

/// Times since the start of the trace, and durations, as people read them. Any thread.

/// "12.345678 s"; "before the trace" and "" for the two times that are none.
[[nodiscard]] QString formatTime(TraceTime time);
/// To the nanosecond: "14.000000000 s".
[[nodiscard]] QString formatExactTime(TraceTime time);
/// Adaptive: "850 ns", "12.5 µs", "100.0 ms", "11.500 s"; with so many decimals unless negative.
[[nodiscard]] QString formatDuration(std::int64_t ns, int decimals = -1);
/// A number of units with that many decimals, without the unit: (1'500'000, 1'000'000, 1) is "1.5". The unit is a power
/// of ten; decimals beyond the nanosecond are left out.
[[nodiscard]] QString formatInUnit(std::int64_t ns, std::int64_t unitNs, int decimals);
/// On the clock of the traced machine: "2024-05-01 14:02:33.123456"; at most 7 decimals. As formatTime() where `base`
/// is not known.
[[nodiscard]] QString formatWallClock(TraceTime time, const TimeBase& base, int decimals = 6);
/// As short as ticks that lie this far apart allow: "15 s", "14.2 s", "14.002 s".
[[nodiscard]] QString formatTick(TraceTime time, std::int64_t stepNs);

} // namespace highwater::ui
