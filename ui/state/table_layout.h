#pragma once

#include "core/analysis/columns.h"
#include "core/analysis/grouped_table.h"

#include <vector>

namespace highwater::ui {

/// How a table is laid out: what its rows are grouped by, which values stand beside, and the order. A plain value.
struct TableLayout {
    analysis::Table table = analysis::Table::VirtualAlloc;
    std::vector<analysis::Column> keys;
    std::vector<analysis::ValueColumn> columns;
    std::vector<analysis::SortKey> sort;
    friend bool operator==(const TableLayout&, const TableLayout&) = default;
};

/// What a table looks like before anyone changes it.
[[nodiscard]] TableLayout defaultLayout(analysis::Table table);
/// Columns that can stand beside the keys of this table, in the order in which they are offered.
[[nodiscard]] std::vector<analysis::Column> offeredColumns(analysis::Table table);

} // namespace highwater::ui
