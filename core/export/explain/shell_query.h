#pragma once

#include "core/analysis/columns/columns.h"
#include "core/export/shell_words.h"

#include <string>

namespace highwater::exports {

/// The same query as a word for a shell: of Windows its texts are in single quotes, as no word for cmd and PowerShell
/// has double ones. One that is not understood stays as it is.
[[nodiscard]] std::string queryFor(Shell shell, analysis::Table table, const std::string& query);

} // namespace highwater::exports
