#pragma once

#include "app/cli/fleet/fleet_request.h"
#include "app/cli/traces/console.h"

namespace highwater::cli {

/// `fleet remove`: takes runs out, each by itself. Says which are not there.
[[nodiscard]] ExitCode removeFromFleet(const FleetRequest& request, const Console& console);

} // namespace highwater::cli
