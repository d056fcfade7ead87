#pragma once

#include "app/cli/traces/console.h"

#include <string>
#include <vector>

namespace highwater::cli {

/// Runs one command ("info", "table", "timeline", "record", "cleanup") with the arguments after the program's name.
[[nodiscard]] ExitCode runCommandLine(std::vector<std::string> arguments, const Console& console);

} // namespace highwater::cli
