#pragma once

#include "core/analysis/columns/columns.h"

#include <QString>

#include <cstdint>

namespace highwater::ui {

/// A count with the words of its number: countText(1, "1 row matches", "%1 rows match"). `several` contains %1 for the
/// number, which is formatted as by formatCount(). Both texts are translated, and may contain %2 and so on for later
/// arg(). For all sentences with counts, because "1 rows" is wrong. Any thread.
[[nodiscard]] QString countText(std::uint64_t count, const char* one, const char* several);
/// The count of rows of a table with the noun of that table: "2 allocations", "1 release". Any thread.
[[nodiscard]] QString rowCountText(analysis::Table table, std::uint64_t count);

} // namespace highwater::ui
