#pragma once

#include "core/analysis/columns/columns.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace highwater::ui {

/// In which unit a column is written. Own: what suits its kind (bytes adapt per cell, times in seconds).
enum class ColumnUnit : std::uint8_t {
    Own,
    Bytes,
    Kilobytes, ///< 1024 bytes, as WPA counts
    Megabytes,
    Gigabytes,
    Hexadecimal,
    Decimal, ///< addresses and handles as plain numbers
    Seconds,
    Milliseconds,
    Microseconds,
    WallClock, ///< date and time of day on the traced machine
};

/// How the numbers of a column are written. A plain value.
struct ColumnFormat {
    ColumnUnit unit = ColumnUnit::Own;
    int decimals = -1; ///< -1: as many as suit the unit
    friend bool operator==(const ColumnFormat&, const ColumnFormat&) = default;
};

/// Units that make sense for what the column says, Own first; only Own: nothing to choose. Any thread.
[[nodiscard]] std::vector<ColumnUnit> unitsOf(analysis::ValueColumn column);
/// "Automatic (B, KB, MB, GB)", "MB", "Wall-clock time": the words of a menu.
[[nodiscard]] QString unitName(analysis::ValueColumn column, ColumnUnit unit);
/// What stands behind the title of a column whose cells carry no unit: "MB", "ms"; empty for others.
[[nodiscard]] QString unitSuffix(ColumnUnit unit);
/// The most decimals that say something; 0: decimals make no sense.
[[nodiscard]] int mostDecimals(analysis::ValueColumn column, ColumnUnit unit);

/// "Size", "Size (MB)": the column's name in that table and the unit that its cells do not carry.
[[nodiscard]] QString columnTitle(analysis::Table table, analysis::ValueColumn column, ColumnFormat format = {});
/// "Sum", "Max"; empty for columns that show what all rows share.
[[nodiscard]] QString aggregationTitle(analysis::Table table, analysis::ValueColumn column);

} // namespace highwater::ui
