#pragma once

#include "core/analysis/columns/columns.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// Finds a column by its name in queries: as in parseColumn, or without blanks ("ProcessName").
[[nodiscard]] std::optional<Column> findColumn(Table table, std::string_view name);

/// " Did you mean [...]?" with the columns of that table that have similar names; empty if there are none.
[[nodiscard]] std::string columnSuggestion(Table table, std::string_view name);

/// The columns that a text without a column is searched in. (Bottom-up stacks have the same frames as the others.)
[[nodiscard]] std::vector<Column> textColumnsOf(Table table);

} // namespace highwater::analysis
