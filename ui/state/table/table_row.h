#pragma once

#include "core/analysis/table/grouped_table.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace highwater::ui {

/// One row, copied out of a GroupedTable with all that a view shows of it.
struct TableRow {
    analysis::GroupedTable::NodeId node = 0;
    analysis::KeyStep step;
    QString text;
    std::vector<analysis::CellValue> values; ///< one per query.columns
    bool hasChildren = false;
    std::uint64_t rowCount = 0; ///< of a leaf: its single rows, which come by pages; in no other row
    std::size_t firstRow = 0;   ///< of a page of them: which of them `rows` begins with
    bool isOpen = false;        ///< `rows` is filled
    bool isHot = false;         ///< OpenMode::HotPath or AlongPath went this way
    std::vector<TableRow> rows;
};

} // namespace highwater::ui
