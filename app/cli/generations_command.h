#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"
#include "core/base/result.h"

namespace highwater::cli {

/// What grew from mark to mark, and what of it is kept, by stack.
[[nodiscard]] Result<ExitCode> runGenerations(const GenerationsRequest& request, const Console& console);

} // namespace highwater::cli
