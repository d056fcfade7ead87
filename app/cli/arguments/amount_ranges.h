#pragma once

#include "app/cli/arguments/requests.h"
#include "core/analysis/columns/columns.h"
#include "core/analysis/query/row_filter.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/event/trace_notes.h"

#include <string>
#include <string_view>

namespace highwater::cli {

/// --lifetime A:B and --size A:B: shorthands of queries. Either side may be empty; what it means has the first and not
/// the second. Errors are of kind Usage and end with the option and a line that points at the wrong part.

/// "": all rows.
[[nodiscard]] Result<std::string> sizeQuery(analysis::Table table, std::string_view text);
/// Of rows whose lifetime is not known it is known how long they lived at least: those that live on until the end of
/// the trace (`whole`), those older than the trace since its start. They are in a range without an end that begins no
/// later than that, and in no other: a leak is what has lived long and lives on.
/// `whole`: ends with kNever before the trace is known; then the answer is right but for such rows.
[[nodiscard]] Result<std::string> lifeTimeQuery(analysis::Table table, std::string_view text, TimeRange whole);

/// An amount of bytes behind this option: "4096", "10MB".
[[nodiscard]] Result<ByteCount> parseBytes(std::string_view option, std::string_view text);

/// --filter, --lifetime and --size, joined by AND.
[[nodiscard]] Result<analysis::RowFilter> parseFilters(analysis::Table table, const FilterRequest& request,
                                                       TimeRange whole);

/// The same with what --mark and --annotate say, for questions that have them in their filter alone. `notes`: of the
/// trace; null before it is known. A filter that asks for labels is refused where there are none.
[[nodiscard]] Result<analysis::RowFilter> parseLabelledFilters(analysis::Table table, const FilterRequest& request,
                                                               TimeRange whole, const TraceNotes* notes = nullptr);

} // namespace highwater::cli
