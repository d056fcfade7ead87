#pragma once

#include "core/analysis/columns/columns.h"
#include "ui/format/column_format.h"
#include "ui/format/time_base.h"

#include <QString>

#include <cstdint>

namespace highwater::ui {

/// Text of analysis table cells in the window. Any thread.

/// "126.0 MB", "15.000000 s", "0x1d0000"; empty if there is no value.
[[nodiscard]] QString formatCell(analysis::ValueColumn column, const analysis::CellValue& value);
/// Uses the unit and decimals of the format. Cells omit fixed units, which the column title shows: "126.0". A unit that
/// the column does not have (see unitsOf) counts as Own.
[[nodiscard]] QString formatCell(analysis::ValueColumn column, const analysis::CellValue& value,
                                 const ColumnFormat& format, const TimeBase& base = {});
/// The same, exact to the byte and nanosecond.
[[nodiscard]] QString formatExactCell(analysis::ValueColumn column, const analysis::CellValue& value);
/// Numeric columns, which are right-aligned: all except text.
[[nodiscard]] bool isNumeric(analysis::ValueColumn column);
/// A number that is 0, which is shown dimmed.
[[nodiscard]] bool isZero(const analysis::CellValue& value);
/// Explanation of a key; empty for self-explanatory keys. Those of Type and Impacting Type are not.
[[nodiscard]] QString definitionOf(analysis::Column column, std::uint64_t key);
/// Explanation of a column for the header's tooltip; empty if the name is self-explanatory.
[[nodiscard]] QString definitionOf(analysis::Table table, analysis::Column column);

} // namespace highwater::ui
