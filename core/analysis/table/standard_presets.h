#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/table/table_query.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// A way to look at a table that everybody gets: the window offers it by its name, the command line as --preset.
/// Constants; any thread.
struct StandardPreset {
    std::string_view name; ///< of its own among those of its table
    Table table = Table::VirtualAlloc;
    std::vector<Column> keys;
    std::vector<ValueColumn> columns;
    std::size_t graphed = 0; ///< how many of the last columns the window draws
    std::vector<SortKey> sort;
    bool isStacked = false;   ///< its graph: series on top of each other
    std::uint32_t levels = 1; ///< and by how many of the keys they are told apart
};

/// In the order in which they are offered; the first is what a table looks like before anyone changes it.
[[nodiscard]] std::span<const StandardPreset> standardPresetsOf(Table table);
/// In any case. Null: the table has none of that name.
[[nodiscard]] const StandardPreset* findPreset(Table table, std::string_view name);

} // namespace highwater::analysis
