#pragma once

#include "core/analysis/columns/columns.h"
#include "core/export/wall_clock.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace highwater::exports {

/// Number format in text for people.
enum class Units : std::uint8_t {
    Exact,     ///< 132120576
    Thousands, ///< 132,120,576
    Auto,      ///< 126.0 MB; numbers that are not bytes like Thousands
};
/// Words on the command line, indexed by Units.
inline constexpr std::array<std::string_view, 3> kUnitWords{"exact", "thousands", "auto"};
/// nullopt: unknown units.
[[nodiscard]] std::optional<Units> parseUnits(std::string_view word);

/// The units and the clock in a written table. Formats for programs ignore units, and JSON also ignores the clock.
struct TableLook {
    Units units = Units::Exact;
    std::optional<WallClock> clock = std::nullopt; ///< shows times as wall clock time instead of seconds
};

/// A value in readable text. Times and durations have all nine decimals, so that they are aligned. Empty for missing
/// values and times.
[[nodiscard]] std::string readableText(analysis::ValueColumn column, const analysis::CellValue& value,
                                       const TableLook& look);

/// Whether the time is shown as wall clock time: for existing times (not durations), if there is a clock.
[[nodiscard]] bool isOnClock(analysis::ValueColumn column, TraceTime time, const TableLook& look);

} // namespace highwater::exports
