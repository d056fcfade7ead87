#pragma once

#include "core/analysis/table/table_query.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/event/trace_notes.h"

#include <string>
#include <vector>

namespace highwater::cli {

/// --mark SECONDS[=NAME], each a mark; without a name it is called by its time. `whole`: the trace, in which they must
/// lie; ends with kNever before the trace is known. Errors: Usage.
[[nodiscard]] Result<std::vector<Mark>> parseMarks(const std::vector<std::string>& texts, TimeRange whole);
/// The marks of a trace, and these.
[[nodiscard]] Result<SharedMarks> marksOf(const TraceNotes& notes, const std::vector<std::string>& texts,
                                          TimeRange whole);
/// Whether any part of it is about marks.
[[nodiscard]] bool asksForMarks(const analysis::Query& query);

} // namespace highwater::cli
