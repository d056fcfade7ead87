#pragma once

#include "core/analysis/columns/columns.h"

#include <string>

namespace highwater::analysis {

/// The text of a value on the command line and in exports: bytes and counts as integers, times in seconds, hex with 0x,
/// series as numbers separated by blanks. Empty for times that do not exist (kNever, kBeforeTrace).
[[nodiscard]] std::string plainText(ValueColumn column, const CellValue& value);

/// A series as a row of block characters, each with a height relative to the highest amount.
[[nodiscard]] std::string blocksText(const Series& series);

} // namespace highwater::analysis
