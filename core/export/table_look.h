#pragma once

#include "core/analysis/columns/columns.h"
#include "core/export/wall_clock.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace highwater::exports {

/// How text for people has its numbers.
enum class Units : std::uint8_t {
    Exact,     ///< 132120576
    Thousands, ///< 132,120,576
    Auto,      ///< 126.0 MB; numbers that are no bytes as Thousands
};
/// On the command line, by Units.
inline constexpr std::array<std::string_view, 3> kUnitWords{"exact", "thousands", "auto"};
/// Nothing: no units are called so.
[[nodiscard]] std::optional<Units> parseUnits(std::string_view word);

/// How a table is written; formats for programs know no units, JSON no clock either.
struct TableLook {
    Units units = Units::Exact;
    std::optional<WallClock> clock = std::nullopt; ///< times are told by it, not as seconds
};

/// A value as text for people has it: times and durations with all nine decimals, so that they line up. Nothing for
/// values and times that do not exist.
[[nodiscard]] std::string readableText(analysis::ValueColumn column, const analysis::CellValue& value,
                                       const TableLook& look);

/// Whether the time is told by the clock: of times (not durations) that exist, where there is a clock.
[[nodiscard]] bool isOnClock(analysis::ValueColumn column, TraceTime time, const TableLook& look);

} // namespace highwater::exports
