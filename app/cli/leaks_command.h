#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"
#include "core/base/result.h"

namespace highwater::cli {

/// Which stacks keep memory, the most suspicious first, each with the reason.
[[nodiscard]] Result<ExitCode> runLeaks(const LeaksRequest& request, const Console& console);

} // namespace highwater::cli
