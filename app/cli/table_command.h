#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"
#include "core/base/result.h"

namespace highwater::cli {

/// Groups and sums the rows of one table over an interval.
[[nodiscard]] Result<ExitCode> runTable(const TableRequest& request, const Console& console);

} // namespace highwater::cli
