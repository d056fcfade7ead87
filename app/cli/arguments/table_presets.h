#pragma once

#include "app/cli/arguments/requests.h"
#include "core/base/result.h"

#include <ostream>

namespace highwater::cli {

/// Fills missing --table, --by, --columns and --sort from --preset. Errors have the kind Usage and list the available
/// presets.
[[nodiscard]] Result<TableRequest> withPreset(TableRequest request);

/// The output of --list-columns and --list-presets for the requested table or all tables: names, meaning, and how to
/// use them. Error: unknown table.
Result<void> listColumns(const TableRequest& request, std::ostream& out);
Result<void> listPresets(const TableRequest& request, std::ostream& out);

} // namespace highwater::cli
