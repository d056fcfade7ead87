#pragma once

#include "app/cli/console.h"
#include "core/event/trace_health.h"

namespace highwater::cli {

/// Says what the trace has lost and what that means: a line per loss; first of all, if so, that totals are bounds.
void sayWhatIsMissing(const HealthReport& health, const Console& console);

} // namespace highwater::cli
