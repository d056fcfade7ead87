#pragma once

#include "core/analysis/columns/columns.h"

#include <string>

namespace highwater::analysis {

/// What a value reads like on the command line and in exports: bytes and counts as integers, times in seconds, hex with
/// 0x, series as numbers
/// with blanks between them. Nothing for times that do not exist (kNever, kBeforeTrace).
[[nodiscard]] std::string plainText(ValueColumn column, const CellValue& value);

/// A series as a row of block letters, each as high as its amount is, compared with the highest.
[[nodiscard]] std::string blocksText(const Series& series);

} // namespace highwater::analysis
