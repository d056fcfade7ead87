#pragma once

#include "app/cli/traces/command.h"

namespace highwater::cli {

/// Whether new runs keep to a budget, and no more than those before.
[[nodiscard]] Command checkCommand(CLI::App& app);

} // namespace highwater::cli
