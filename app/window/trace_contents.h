#pragma once

#include "core/event/record_counts.h"

#include <QString>

namespace highwater::app {

/// "It holds 12,345 events: Stack Walk 10,000, Image 1,204, Process 310 and of 4 other providers."; of no events that
/// there are none. The busiest first.
[[nodiscard]] QString traceContents(const RecordCounts& counts);

} // namespace highwater::app
