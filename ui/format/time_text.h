#pragma once

#include "core/base/units.h"

#include <QString>

#include <optional>

namespace highwater::ui {

/// Times that people type or paste: "14.2", "14.2 s", "350 ms", "12.5 µs" (or us), "850 ns", "1,234.5 s"; without a
/// unit they are seconds. Exact to the nanosecond; smaller digits, and what 64 bits cannot hold, are errors. Any
/// thread.
[[nodiscard]] std::optional<std::int64_t> parseNanoseconds(const QString& text);

/// Two of them: "14.0 16.0", "14.0-16.0", "14.0 s – 16.0 s", "14.0 s to 16.0 s", or with a tab, a semicolon or a line
/// break between (what is copied from a table). In this order; an empty or reversed range is none.
[[nodiscard]] std::optional<TimeRange> parseTimeRange(const QString& text);

} // namespace highwater::ui
