#pragma once

#include "core/analysis/columns/columns.h"
#include "core/export/shell_words.h"

#include <string>

namespace highwater::exports {

/// The same query as a word for a shell. For Windows its texts are in single quotes, because words for cmd and
/// PowerShell must not contain double quotes. A query that cannot be parsed is unchanged.
[[nodiscard]] std::string queryFor(Shell shell, analysis::Table table, const std::string& query);

} // namespace highwater::exports
