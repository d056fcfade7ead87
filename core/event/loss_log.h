#pragma once

#include "core/event/trace_health.h"

namespace highwater {

/// Logs every loss, remark and note of a trace, one line each. Called once per trace, at its end. Any thread.
void logLosses(const HealthReport& health);

} // namespace highwater
