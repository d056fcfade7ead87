#pragma once

#include "core/base/units.h"
#include "ui/format/time_base.h"

#include <QString>

namespace highwater::ui {

/// Formats times since the start of the trace, and durations. Any thread.

/// "12.345678 s"; "before the trace" and "" for the two special times.
[[nodiscard]] QString formatTime(TraceTime time);
/// With two decimals: for sentences in which more digits would only distract.
[[nodiscard]] QString formatBriefTime(TraceTime time);
/// Two times to be read together, as by formatTime(), or exact if different times would look equal.
struct TimeTexts {
    QString first;
    QString last;
};
[[nodiscard]] TimeTexts formatTimes(TraceTime first, TraceTime last);
/// "1.000000 s to 2.500000 s", by formatTimes().
[[nodiscard]] QString formatRange(TimeRange range);
/// Exact to the nanosecond: "14.000000000 s".
[[nodiscard]] QString formatExactTime(TraceTime time);
/// Adaptive: "850 ns", "12.5 µs", "100.0 ms", "11.500 s". A negative `decimals` chooses a suitable number.
[[nodiscard]] QString formatDuration(std::int64_t ns, int decimals = -1);
/// The amount in units with the given number of decimals, without the unit: (1'500'000, 1'000'000, 1) is "1.5". The
/// unit is a power of ten; decimals beyond the nanosecond are omitted.
[[nodiscard]] QString formatInUnit(std::int64_t ns, std::int64_t unitNs, int decimals);
/// Time on the clock of the traced machine: "2024-05-01 14:02:33.123456"; at most 7 decimals. Falls back to
/// formatTime() if `base` is unknown.
[[nodiscard]] QString formatWallClock(TraceTime time, const TimeBase& base, int decimals = 6);
/// As short as the distance between ticks allows: "15 s", "14.2 s", "14.002 s".
[[nodiscard]] QString formatTick(TraceTime time, std::int64_t stepNs);

} // namespace highwater::ui
