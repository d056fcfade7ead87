#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"
#include "core/base/result.h"

namespace highwater::cli {

/// What is different between two sides (docs/command-line.md).
Result<ExitCode> runDiff(const DiffRequest& request, const Console& console);

} // namespace highwater::cli
