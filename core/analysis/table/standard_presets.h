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

/// A built-in view of a table: the window lists it by name, the command line accepts it with --preset. Constants; any
/// thread.
struct StandardPreset {
    std::string_view name; ///< unique in its table
    Table table = Table::VirtualAlloc;
    std::vector<Column> keys;
    std::vector<ValueColumn> columns;
    std::size_t graphed = 0; ///< number of last columns that the window draws
    std::vector<SortKey> sort;
    bool isStacked = false;   ///< graph with stacked series
    std::uint32_t levels = 1; ///< number of keys that distinguish its series
};

/// In display order; the first is the initial view of a table.
[[nodiscard]] std::span<const StandardPreset> standardPresetsOf(Table table);
/// Case-insensitive. Null: unknown name.
[[nodiscard]] const StandardPreset* findPreset(Table table, std::string_view name);

} // namespace highwater::analysis
