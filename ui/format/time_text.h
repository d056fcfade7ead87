#pragma once

#include "core/base/units.h"

#include <QString>

#include <optional>

namespace highwater::ui {

/// Parses times that users type or paste: "14.2", "14.2 s", "350 ms", "12.5 µs" (or us), "850 ns", "1,234.5 s". Without
/// a unit they are seconds. Exact to the nanosecond; finer digits and values beyond 64 bits are errors. Any thread.
[[nodiscard]] std::optional<std::int64_t> parseNanoseconds(const QString& text);

/// Parses two times: "14.0 16.0", "14.0-16.0", "14.0 s – 16.0 s", "14.0 s to 16.0 s", or with a tab, a semicolon or a
/// line break in between (as copied from a table). Nothing if the range is empty or reversed.
[[nodiscard]] std::optional<TimeRange> parseTimeRange(const QString& text);

} // namespace highwater::ui
