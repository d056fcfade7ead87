#pragma once

#include "app/cli/traces/console.h"
#include "app/tools/fleet/command/fleet_request.h"
#include "core/base/result.h"

namespace highwater::cli {

/// `fleet name`: adds names to functions that had none when their runs were added. Prints the result per module.
[[nodiscard]] Result<ExitCode> nameFleet(const FleetRequest& request, const Console& console);

} // namespace highwater::cli
