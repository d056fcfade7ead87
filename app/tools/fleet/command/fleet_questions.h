#pragma once

#include "app/cli/traces/console.h"
#include "app/tools/fleet/command/fleet_request.h"
#include "core/base/result.h"

#include <optional>

namespace highwater::cli {

/// Validates the arguments of any action before a store is opened: options that are missing, invalid or not accepted.
[[nodiscard]] std::optional<Error> wrongUsage(const FleetRequest& request);
/// Runs a query on the store and prints the answer, for all actions except init and add. The request must be validated.
Result<ExitCode> askFleet(const FleetRequest& request, const Console& console);

} // namespace highwater::cli
