#pragma once

#include "app/cli/console.h"
#include "core/event/trace_health.h"

namespace highwater::cli {

/// Says what the trace has lost and what that means: a line per loss; first of all, if so, that totals are bounds. The
/// exit code of an answer from it: DataMissing with `isStrict`, if totals are bounds.
ExitCode sayWhatIsMissing(const HealthReport& health, bool isStrict, const Console& console);

} // namespace highwater::cli
