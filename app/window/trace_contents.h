#pragma once

#include "core/event/record_counts.h"

#include <QString>

namespace highwater::app {

/// "The trace contains 12,345 events: Stack Walk 10,000, Image 1,204, Process 310, and events of 4 other providers.",
/// largest count first; or that there are no events.
[[nodiscard]] QString traceContents(const RecordCounts& counts);

} // namespace highwater::app
