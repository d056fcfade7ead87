#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"
#include "core/base/result.h"

namespace highwater::cli {

/// A table as a flame graph: a drawing, or lines that other tools for flame graphs read.
[[nodiscard]] Result<ExitCode> runFlames(const FlamesRequest& request, const Console& console);

} // namespace highwater::cli
