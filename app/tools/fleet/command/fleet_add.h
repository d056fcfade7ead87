#pragma once

#include "app/cli/traces/console.h"
#include "app/tools/fleet/command/fleet_request.h"
#include "core/base/result.h"

namespace highwater::cli {

/// Reduces traces into the store, several at a time. One that cannot be read does not stop the others: it is told, and
/// the exit code is CannotRead. Runs that are there are not read again. The request has been looked at.
Result<ExitCode> addToFleet(const FleetRequest& request, const Console& console);

} // namespace highwater::cli
