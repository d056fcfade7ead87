#pragma once

#include "core/analysis/balance/resident_timeline.h"
#include "core/analysis/timeline/memory_timeline.h"
#include "core/export/wall_clock.h"

#include <optional>
#include <ostream>

namespace highwater::exports {

/// `start_s`, or `start` with a clock, then a column per series; one line per slice. Errors are those of the stream.
void writeTimelineCsv(const analysis::Timeline& timeline, std::ostream& out,
                      const std::optional<WallClock>& clock = std::nullopt);
/// docs/numbers.md 6.3 specifies the format. Includes the health of the trace. `query`: the query of the timeline.
void writeTimelineJson(const analysis::TimelineQuery& query, const analysis::Timeline& timeline,
                       const HealthReport& health, std::ostream& out);

/// The same for resident memory. A gap is an empty field; JSON has no point for it.
void writeResidentTimelineCsv(const analysis::ResidentTimeline& timeline, std::ostream& out,
                              const std::optional<WallClock>& clock = std::nullopt);
void writeResidentTimelineJson(const analysis::ResidentTimeline& timeline, const HealthReport& health,
                               std::ostream& out);

} // namespace highwater::exports
