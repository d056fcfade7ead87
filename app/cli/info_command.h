#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"
#include "core/base/result.h"

namespace highwater::cli {

/// Prints a summary of a trace's contents and data loss.
[[nodiscard]] Result<ExitCode> runInfo(const InfoRequest& request, const Console& console);

} // namespace highwater::cli
