#pragma once

#include "core/analysis/columns/columns.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace highwater::ui {

/// Unit of a column. Own is the unit that suits its kind (bytes adapt per cell, times are in seconds).
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

/// Number format of a column. A plain value.
struct ColumnFormat {
    ColumnUnit unit = ColumnUnit::Own;
    int decimals = -1; ///< -1: as many as suit the unit
    friend bool operator==(const ColumnFormat&, const ColumnFormat&) = default;
};

/// Units that make sense for the column, Own first. Only Own means that there is no choice. Any thread.
[[nodiscard]] std::vector<ColumnUnit> unitsOf(analysis::ValueColumn column);
/// Menu text of a unit: "Automatic (B, KB, MB, GB)", "MB", "Wall-clock time".
[[nodiscard]] QString unitName(analysis::ValueColumn column, ColumnUnit unit);
/// Unit that follows the title of a column whose cells omit it: "MB", "ms"; empty for others.
[[nodiscard]] QString unitSuffix(ColumnUnit unit);
/// The largest useful number of decimals; 0: decimals make no sense.
[[nodiscard]] int mostDecimals(analysis::ValueColumn column, ColumnUnit unit);

/// "Size", "Size (MB)": name of the column in that table, with the unit that its cells omit.
[[nodiscard]] QString columnTitle(analysis::Table table, analysis::ValueColumn column, ColumnFormat format = {});
/// "Sum", "Max"; empty for columns that show the value common to all rows.
[[nodiscard]] QString aggregationTitle(analysis::Table table, analysis::ValueColumn column);

} // namespace highwater::ui
