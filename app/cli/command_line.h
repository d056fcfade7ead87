#pragma once

#include "app/cli/traces/command.h"
#include "app/cli/traces/console.h"

#include <string>
#include <vector>

namespace highwater::cli {

/// Adds the sub-command of a tool to the program.
using MakeCommand = Command (*)(CLI::App& app);

/// The tools of app/tools/tools.h, in the same order.
[[nodiscard]] std::vector<MakeCommand> toolCommands();

/// Runs one command ("info", "table", "timeline", "record", "picture", "cleanup", or the command of a tool). The
/// arguments do not include the program's name.
[[nodiscard]] ExitCode runCommandLine(std::vector<std::string> arguments, const Console& console,
                                      const std::vector<MakeCommand>& tools = toolCommands());

} // namespace highwater::cli
