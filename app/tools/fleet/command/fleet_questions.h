#pragma once

#include "app/cli/traces/console.h"
#include "app/tools/fleet/command/fleet_request.h"
#include "core/base/result.h"

#include <optional>

namespace highwater::cli {

/// What is wrong with the words of any action before a store is opened: one that it needs is missing or makes no sense,
/// or one is there that it has no use for.
[[nodiscard]] std::optional<Error> wrongUsage(const FleetRequest& request);
/// Asks the store, and prints the answer. Of all actions but init and add; the request has been looked at.
Result<ExitCode> askFleet(const FleetRequest& request, const Console& console);

} // namespace highwater::cli
