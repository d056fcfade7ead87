#pragma once

#include "app/cli/traces/command.h"

namespace highwater::cli {

/// Cuts an interval, and processes, out of a trace. Ctrl+C stops it, and nothing is left of the file then.
[[nodiscard]] Command cropCommand(CLI::App& app);

} // namespace highwater::cli
