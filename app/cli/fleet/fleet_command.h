#pragma once

#include "app/cli/traces/command.h"

namespace highwater::cli {

/// Many traces, reduced into a store that is asked which stack grew between two builds.
[[nodiscard]] Command fleetCommand(CLI::App& app);

} // namespace highwater::cli
