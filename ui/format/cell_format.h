#pragma once

#include "core/analysis/columns/columns.h"
#include "ui/format/column_format.h"
#include "ui/format/time_base.h"

#include <QString>

#include <cstdint>

namespace highwater::ui {

/// What a cell of an analysis table reads like in the window. Any thread.

/// "126.0 MB", "15.000000 s", "0x1d0000"; empty when there is no value.
[[nodiscard]] QString formatCell(analysis::ValueColumn column, const analysis::CellValue& value);
/// In the unit and with the decimals of the format; fixed units are left to the title of the column: "126.0". A unit
/// that the column does not have (see unitsOf) is taken for Own.
[[nodiscard]] QString formatCell(analysis::ValueColumn column, const analysis::CellValue& value,
                                 const ColumnFormat& format, const TimeBase& base = {});
/// The same to the last byte and nanosecond.
[[nodiscard]] QString formatExactCell(analysis::ValueColumn column, const analysis::CellValue& value);
/// Right-aligned: everything but text.
[[nodiscard]] bool isNumeric(analysis::ValueColumn column);
/// A number that is 0: shown, but dimmed.
[[nodiscard]] bool isZero(const analysis::CellValue& value);
/// What a key means, in words; empty for keys that say all themselves: those of Type and Impacting Type do not.
[[nodiscard]] QString definitionOf(analysis::Column column, std::uint64_t key);
/// What a column counts or groups by, in words, for the header's tooltip; empty when the name says all.
[[nodiscard]] QString definitionOf(analysis::Table table, analysis::Column column);

} // namespace highwater::ui
