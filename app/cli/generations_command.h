#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"

namespace highwater::cli {

/// What grew from mark to mark, and what of it is kept, by stack.
[[nodiscard]] ExitCode runGenerations(const GenerationsRequest& request, const Console& console);

} // namespace highwater::cli
