#pragma once

#include "app/cli/console.h"
#include "app/cli/arguments/requests.h"

namespace highwater::cli {

/// Which stacks keep memory, the most suspicious first, each with the reason.
[[nodiscard]] ExitCode runLeaks(const LeaksRequest& request, const Console& console);

} // namespace highwater::cli
