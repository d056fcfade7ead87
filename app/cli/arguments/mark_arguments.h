#pragma once

#include "core/analysis/table/table_query.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/event/trace_notes.h"

#include <string>
#include <vector>

namespace highwater::cli {

/// Parses --mark SECONDS[=NAME]. A mark without a name is named after its time. Marks must be inside the trace `whole`,
/// which ends with kNever before the trace is known. Errors: Usage.
[[nodiscard]] Result<std::vector<Mark>> parseMarks(const std::vector<std::string>& texts, TimeRange whole);
/// The marks of a trace plus the given ones.
[[nodiscard]] Result<SharedMarks> marksOf(const TraceNotes& notes, const std::vector<std::string>& texts,
                                          TimeRange whole);
/// Whether any part of the query uses marks.
[[nodiscard]] bool asksForMarks(const analysis::Query& query);

} // namespace highwater::cli
