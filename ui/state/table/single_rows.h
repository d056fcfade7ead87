#pragma once

#include "core/analysis/table/grouped_table.h"
#include "ui/state/table/table_row.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <stop_token>

namespace highwater::ui {

/// Rows below a leaf are single allocations. A leaf may have any number of them, so they are loaded in pages.
inline constexpr std::size_t kRowsPerPage = 1000;
/// Maximum number of rows of a leaf that are loaded again with the next answer.
inline constexpr std::size_t kMostRowsKept = 20'000;

/// "0x1d0000 · 12.345678 s – 15.000000 s · 64 B · thread 42".
[[nodiscard]] QString singleRowText(const analysis::GroupedTable& table, analysis::GroupedTable::NodeId row);

/// Key of the last line below a leaf that is not fully loaded.
inline constexpr std::uint64_t kMoreRowsKey = ~std::uint64_t{0};
/// `values`: number of columns.
[[nodiscard]] TableRow moreRows(std::uint64_t missing, std::size_t values);

} // namespace highwater::ui
