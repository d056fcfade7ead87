#pragma once

#include "app/cli/console.h"
#include "app/cli/arguments/requests.h"

namespace highwater::cli {

/// The outstanding amount over time, in equal slices.
[[nodiscard]] ExitCode runTimeline(const TimelineRequest& request, const Console& console);

} // namespace highwater::cli
