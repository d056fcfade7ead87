#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/table/table_query.h"
#include "core/base/result.h"
#include "core/export/table_walk.h"
#include "core/formats/facts/export_facts.h"
#include "core/store/published/published_trace.h"

#include <cstddef>
#include <memory>
#include <ostream>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::formats {

/// Contents of a report in addition to its numbers.
struct ReportFacts {
    ExportSubject subject;
    std::string recordedAt;           ///< "2024-01-17 21:20:00.0000000 UTC+01:00"; "": unknown
    std::string program;              ///< "highwater 1.2.3"
    std::vector<std::string> command; ///< words of the command that writes the same report; empty: none
    HealthReport health;              ///< health of the table
};

/// Writes a self-contained HTML page without scripts: title, missing data, a graph of outstanding memory by the first
/// key, the balance of resident memory if there are samples of it, and the rows of the table within the limits. All
/// texts of traces are escaped. Returns the number of rows. Any
/// thread. Errors: Cancelled, Usage of the query.
[[nodiscard]] Result<std::size_t> writeReport(const std::shared_ptr<const store::PublishedTrace>& trace,
                                              const std::shared_ptr<analysis::FrameLabels>& labels,
                                              const analysis::Query& query, exports::TreeLimits limits,
                                              const ReportFacts& facts, std::ostream& out,
                                              const std::stop_token& stop = {});

} // namespace highwater::formats
