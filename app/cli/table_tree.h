#pragma once

#include "core/analysis/table/grouped_table.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace highwater::cli {

/// Which part of a grouped table is printed. 0: all.
struct TreeLimits {
    std::uint32_t depth = 0; ///< levels of keys; each frame of a stack is one
    std::uint32_t top = 0;   ///< rows per level; the others become one row "(N more)"
};

/// One printed row of a grouped table.
struct TreeRow {
    std::uint32_t level = 0; ///< 1 for the rows of the first key
    analysis::Column column = analysis::Column::Process;
    bool hasSiblings = false;
    std::string key;
    std::vector<analysis::CellValue> values; ///< one per requested column
};

/// The table opened as far as the limits allow: a parent stands before its children (pre-order).
/// What takes long to compute (peaks, unique counts) is computed for the printed rows.
[[nodiscard]] Result<std::vector<TreeRow>>
openTree(analysis::GroupedTable& table, const std::vector<analysis::ValueColumn>& columns, TreeLimits limits);

} // namespace highwater::cli
