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

/// What a report says beside its numbers.
struct ReportFacts {
    ExportSubject subject;
    std::string recordedAt;           ///< "2024-01-17 21:20:00.0000000 UTC+01:00"; "": the trace does not say
    std::string program;              ///< "highwater 1.2.3"
    std::vector<std::string> command; ///< that writes it again, word by word; empty: none does
    HealthReport health;              ///< of the table
};

/// Writes a page of HTML that needs nothing else, and runs nothing: what it is of, what is missing, a graph of what is
/// outstanding by the first key, and the rows of the table, opened as far as the limits allow. All texts of traces are
/// plain text in it. Returns how many rows there are. Any thread. Errors: Cancelled, Usage of the query.
[[nodiscard]] Result<std::size_t> writeReport(const std::shared_ptr<const store::PublishedTrace>& trace,
                                              const std::shared_ptr<analysis::FrameLabels>& labels,
                                              const analysis::Query& query, exports::TreeLimits limits,
                                              const ReportFacts& facts, std::ostream& out,
                                              const std::stop_token& stop = {});

} // namespace highwater::formats
