#pragma once

#include "app/cli/arguments/requests.h"
#include "core/base/result.h"

#include <ostream>

namespace highwater::cli {

/// The request with what its --preset gives: --table, --by, --columns and --sort, where they were not said. Errors are
/// of kind Usage and name the presets that there are.
[[nodiscard]] Result<TableRequest> withPreset(TableRequest request);

/// What --list-columns and --list-presets answer, of the request's table or of all: names, what they mean, and how they
/// are asked for. Error: there is no such table.
Result<void> listColumns(const TableRequest& request, std::ostream& out);
Result<void> listPresets(const TableRequest& request, std::ostream& out);

} // namespace highwater::cli
