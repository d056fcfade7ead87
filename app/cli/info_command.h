#pragma once

#include "app/cli/console.h"
#include "app/cli/arguments/requests.h"

namespace highwater::cli {

/// What a trace holds and what it has lost.
[[nodiscard]] ExitCode runInfo(const InfoRequest& request, const Console& console);

} // namespace highwater::cli
