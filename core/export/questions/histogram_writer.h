#pragma once

#include "core/analysis/histogram/histogram.h"
#include "core/event/trace_health.h"

#include <ostream>

namespace highwater::exports {

/// One line per bar, whose length is proportional to its bytes, followed by the most frequent sizes. Errors are those
/// of the stream.
void writeHistogramText(const analysis::HistogramQuery& query, const analysis::Histogram& histogram, std::ostream& out);
/// One line per bar with the query that selects its rows.
void writeHistogramCsv(const analysis::HistogramQuery& query, const analysis::Histogram& histogram, std::ostream& out);
/// docs/command-line.md specifies the format. Includes the health of the table.
void writeHistogramJson(const analysis::HistogramQuery& query, const analysis::Histogram& histogram,
                        const HealthReport& health, std::ostream& out);

} // namespace highwater::exports
