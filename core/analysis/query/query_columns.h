#pragma once

#include "core/analysis/columns/columns.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// How a query names columns: as parseColumn reads them, or without the blanks ("ProcessName").
[[nodiscard]] std::optional<Column> findColumn(Table table, std::string_view name);

/// " Did you mean [...]?" with the columns of that table whose names are near; empty if none is.
[[nodiscard]] std::string columnSuggestion(Table table, std::string_view name);

/// The columns that a text without a column is looked for in. (Stacks bottom-up have the frames of the others.)
[[nodiscard]] std::vector<Column> textColumnsOf(Table table);

} // namespace highwater::analysis
