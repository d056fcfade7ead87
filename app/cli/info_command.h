#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"
#include "core/base/result.h"

namespace highwater::cli {

/// What a trace holds and what it has lost.
[[nodiscard]] Result<ExitCode> runInfo(const InfoRequest& request, const Console& console);

} // namespace highwater::cli
