#pragma once

#include "core/analysis/timeline/memory_timeline.h"

#include <ostream>

namespace highwater::formats {

/// Writes a timeline as a drawing with a legend, in the colours of reportStyle().
void writeReportGraph(const analysis::TimelineQuery& query, const analysis::Timeline& timeline, std::ostream& out);

} // namespace highwater::formats
