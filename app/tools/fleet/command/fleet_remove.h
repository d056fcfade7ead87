#pragma once

#include "app/cli/traces/console.h"
#include "app/tools/fleet/command/fleet_request.h"
#include "core/base/result.h"

namespace highwater::cli {

/// `fleet remove`: removes runs one by one. Prints those that do not exist.
[[nodiscard]] Result<ExitCode> removeFromFleet(const FleetRequest& request, const Console& console);

} // namespace highwater::cli
