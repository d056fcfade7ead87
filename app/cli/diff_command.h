#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"

namespace highwater::cli {

/// What is different between two sides (docs/command-line.md).
ExitCode runDiff(const DiffRequest& request, const Console& console);

} // namespace highwater::cli
