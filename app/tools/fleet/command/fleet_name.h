#pragma once

#include "app/cli/traces/console.h"
#include "app/tools/fleet/command/fleet_request.h"
#include "core/base/result.h"

namespace highwater::cli {

/// `fleet name`: names functions that had no names when their runs were added. Says what of which module was found.
[[nodiscard]] Result<ExitCode> nameFleet(const FleetRequest& request, const Console& console);

} // namespace highwater::cli
