#pragma once

#include "core/analysis/table/grouped_table.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace highwater::ui {

/// A row copied from a GroupedTable with everything that a view shows of it.
struct TableRow {
    analysis::GroupedTable::NodeId node = 0;
    analysis::KeyStep step;
    QString text;
    std::vector<analysis::CellValue> values; ///< one per query.columns
    bool hasChildren = false;
    std::uint64_t rowCount = 0; ///< for a leaf: number of its single rows, which are loaded in pages
    std::size_t firstRow = 0;   ///< for a page: index of its first row
    bool isOpen = false;        ///< `rows` is filled
    bool isHot = false;         ///< on the path of OpenMode::HotPath or AlongPath
    std::vector<TableRow> rows;
};

} // namespace highwater::ui
