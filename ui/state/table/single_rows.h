#pragma once

#include "core/analysis/table/grouped_table.h"
#include "ui/state/table/table_row.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <stop_token>

namespace highwater::ui {

/// The rows below a leaf, which are single allocations: as many as a leaf may have, they come by pages.
inline constexpr std::size_t kRowsPerPage = 1000;
/// Pages that were looked at come again with the next answer, up to so many rows of a leaf.
inline constexpr std::size_t kMostRowsKept = 20'000;

/// "0x1d0000 · 12.345678 s – 15.000000 s · 64 B · thread 42".
[[nodiscard]] QString singleRowText(const analysis::GroupedTable& table, analysis::GroupedTable::NodeId row);

/// The last line below a leaf of which not all rows are there.
inline constexpr std::uint64_t kMoreRowsKey = ~std::uint64_t{0};
/// `values`: how many columns there are.
[[nodiscard]] TableRow moreRows(std::uint64_t missing, std::size_t values);

} // namespace highwater::ui
