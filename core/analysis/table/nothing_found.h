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

/// What both programs say where an answer has nothing. Any thread.

/// Why an interval cannot be shown: it lies outside the trace. Nothing: it can, as far as the trace goes. Of a trace
/// without a time there is nothing to be outside of. The error is of usage.
[[nodiscard]] std::optional<Error> refusalOf(TimeRange asked, TimeRange whole);

/// Why a table has no rows: a sentence that says what to do. filters: what may have left some of them out, in words.
[[nodiscard]] std::string whyEmpty(const store::PublishedTrace& trace, Table table, TimeRange interval,
                                   const std::vector<std::string>& filters = {});

/// Whether the whole trace has events that make rows of the table.
[[nodiscard]] bool isRecorded(const store::PublishedTrace& trace, Table table);

/// Of which events of memory the whole trace has none, and how they are recorded: a sentence for each kind, or one for
/// both. Where something is missing they say how far the trace was read. Empty: it has both. `counted`: blocks of heaps
/// that have no rows.
[[nodiscard]] std::vector<std::string> notRecorded(const store::PublishedTrace& trace, std::uint64_t counted = 0);

} // namespace highwater::analysis
