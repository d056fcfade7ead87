#pragma once

#include "app/cli/traces/command.h"

namespace highwater::cli {

/// Commands that write a trace, or what is in it, as another file.
[[nodiscard]] Command pprofCommand(CLI::App& app);
[[nodiscard]] Command reportCommand(CLI::App& app);
[[nodiscard]] Command sqliteCommand(CLI::App& app);

} // namespace highwater::cli
