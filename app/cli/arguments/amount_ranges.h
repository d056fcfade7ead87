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

/// Query shorthands --lifetime A:B and --size A:B. Either bound may be empty; A is included, B is not. Errors have the
/// kind Usage and end with the option and a line that points at the wrong part.

/// "" selects all rows.
[[nodiscard]] Result<std::string> sizeQuery(analysis::Table table, std::string_view text);
/// Rows with an unknown lifetime have a known minimum lifetime: rows that are alive at the end of the trace (`whole`),
/// and rows older than the trace, counted from its start. Such rows match only ranges without an upper bound that start
/// at or below this minimum, so that long-lived leaks are found. Before the trace is known, `whole` ends with kNever
/// and the answer ignores such rows.
[[nodiscard]] Result<std::string> lifeTimeQuery(analysis::Table table, std::string_view text, TimeRange whole);

/// The value of this option in bytes: "4096", "10MB".
[[nodiscard]] Result<ByteCount> parseBytes(std::string_view option, std::string_view text);
/// The same for an amount that must be more than 0 bytes.
[[nodiscard]] Result<ByteCount> parseGrowth(std::string_view option, std::string_view text);

/// --filter, --lifetime and --size, joined by AND.
[[nodiscard]] Result<analysis::RowFilter> parseFilters(analysis::Table table, const FilterRequest& request,
                                                       TimeRange whole);

/// Also includes --mark and --annotate, for queries that use them only in their filter. `notes` are those of the trace,
/// or null before it is known. A filter that uses labels is rejected if there are none.
[[nodiscard]] Result<analysis::RowFilter> parseLabelledFilters(analysis::Table table, const FilterRequest& request,
                                                               TimeRange whole, const TraceNotes* notes = nullptr);

} // namespace highwater::cli
