#pragma once

#include "app/cli/traces/console.h"
#include "app/tools/fleet/command/fleet_request.h"
#include "core/base/result.h"

namespace highwater::cli {

/// Summarizes traces and adds them to the store, several in parallel. An unreadable trace is reported and does not stop
/// the others; the exit code is then CannotRead. Existing runs are not read again. The request must be validated.
Result<ExitCode> addToFleet(const FleetRequest& request, const Console& console);

} // namespace highwater::cli
