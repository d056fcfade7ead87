#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"
#include "core/base/result.h"

namespace highwater::cli {

/// The outstanding amount over time, in equal slices.
[[nodiscard]] Result<ExitCode> runTimeline(const TimelineRequest& request, const Console& console);

} // namespace highwater::cli
