#pragma once

#include "app/cli/traces/command.h"

#include <CLI/CLI.hpp>

namespace highwater::cli {

/// Commands that ask who keeps memory, and what became of it.
[[nodiscard]] Command leaksCommand(CLI::App& app);
[[nodiscard]] Command generationsCommand(CLI::App& app);
[[nodiscard]] Command explainCommand(CLI::App& app);
[[nodiscard]] Command flamesCommand(CLI::App& app);
[[nodiscard]] Command diffCommand(CLI::App& app);

} // namespace highwater::cli
