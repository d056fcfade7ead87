#pragma once

#include "core/base/units.h"

#include <QString>

namespace highwater::ui {

/// Times since the start of the trace, and durations, as people read them. Any thread.

/// "12.345678 s"; "before the trace" and "" for the two times that are none.
[[nodiscard]] QString formatTime(TraceTime time);
/// To the nanosecond: "14.000000000 s".
[[nodiscard]] QString formatExactTime(TraceTime time);
/// Adaptive: "850 ns", "12.5 µs", "100.0 ms", "11.500 s".
[[nodiscard]] QString formatDuration(std::int64_t ns);
/// As short as ticks that lie this far apart allow: "15 s", "14.2 s", "14.002 s".
[[nodiscard]] QString formatTick(TraceTime time, std::int64_t stepNs);

} // namespace highwater::ui
