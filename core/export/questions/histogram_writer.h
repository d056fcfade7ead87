#pragma once

#include "core/analysis/histogram/histogram.h"
#include "core/event/trace_health.h"

#include <ostream>

namespace highwater::exports {

/// A line per bar, as long as its bytes are many, and the most frequent sizes below. Errors are those of the stream.
void writeHistogramText(const analysis::HistogramQuery& query, const analysis::Histogram& histogram, std::ostream& out);
/// A line per bar with the query that finds its rows.
void writeHistogramCsv(const analysis::HistogramQuery& query, const analysis::Histogram& histogram, std::ostream& out);
/// The shape of docs/command-line.md, with the health of the table.
void writeHistogramJson(const analysis::HistogramQuery& query, const analysis::Histogram& histogram,
                        const HealthReport& health, std::ostream& out);

} // namespace highwater::exports
