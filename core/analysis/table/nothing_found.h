#pragma once

#include "core/analysis/columns/columns.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace highwater::analysis {

/// Messages of both programs for empty answers. Any thread.

/// Why an interval cannot be shown: it is outside the trace. Nothing: it can, limited to the trace. For a trace without
/// a duration, no interval is outside. The error is of kind Usage.
[[nodiscard]] std::optional<Error> refusalOf(TimeRange asked, TimeRange whole);

/// A sentence that explains why a table has no rows, and what the user can do. filters: descriptions of filters that
/// may exclude rows.
[[nodiscard]] std::string whyEmpty(const store::PublishedTrace& trace, Table table, TimeRange interval,
                                   const std::vector<std::string>& filters = {});

/// Whether the whole trace has events for rows of the table.
[[nodiscard]] bool isRecorded(const store::PublishedTrace& trace, Table table);

/// The kinds of memory events that the whole trace lacks, and how to record them: a sentence for each kind, or one for
/// both. If data is missing, the sentences contain the part that was read. Empty: it has both. `counted`: heap blocks
/// without rows.
[[nodiscard]] std::vector<std::string> notRecorded(const store::PublishedTrace& trace, std::uint64_t counted = 0);

} // namespace highwater::analysis
