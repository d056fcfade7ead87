#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"
#include "core/base/result.h"

namespace highwater::cli {

/// One page that says what is wrong: when memory rose most and who made it, and which stacks leak. The request is that
/// of leaks; its `top` means nothing.
[[nodiscard]] Result<ExitCode> runExplain(const LeaksRequest& request, const Console& console);

} // namespace highwater::cli
