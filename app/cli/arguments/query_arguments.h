#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/query/row_filter.h"
#include "core/analysis/table/grouped_table.h"
#include "core/analysis/timeline/timeline_query.h"
#include "core/base/result.h"
#include "core/base/units.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::cli {

/// Parses arguments into parts of a query. Errors have the kind Usage and name the valid input.

[[nodiscard]] Result<analysis::Table> parseTableWord(std::string_view word);
/// Parses "2.5"; empty if it is not a number of seconds.
[[nodiscard]] std::optional<TraceTime> parseSeconds(std::string_view text);
/// "START:END" in seconds; an empty side means the start or end of the trace.
[[nodiscard]] Result<TimeRange> parseRange(std::string_view text, TimeRange whole);
/// The same for a known trace, clipped to it. Error: the range is outside the trace.
[[nodiscard]] Result<TimeRange> parseInterval(std::string_view text, TimeRange whole);
/// "COL,COL": columns to group by.
[[nodiscard]] Result<std::vector<analysis::Column>> parseKeys(analysis::Table table, std::string_view text);
/// "COL,COL": any columns, including aggregates ("Max(Size)"). By default Count, Impacting Size and Size, if the table
/// has them.
[[nodiscard]] Result<std::vector<analysis::ValueColumn>> parseValueColumns(analysis::Table table,
                                                                           std::string_view text);
/// "COL[:asc|:desc],...", including aggregates. By default numbers are descending and text ascending.
[[nodiscard]] Result<std::vector<analysis::SortKey>> parseSort(analysis::Table table, std::string_view text);
/// A query in the language of the find bar; blank selects all rows. Error messages end with the query and a line that
/// points at the wrong part.
[[nodiscard]] Result<analysis::RowFilter> parseFilter(analysis::Table table, std::string_view text);

/// Whether the filter depends on function names: it uses a frame column, or searches text in all columns.
[[nodiscard]] bool readsFrames(const analysis::RowFilter& filter);

/// "LABEL=QUERY" in order; a blank query selects all remaining rows.
[[nodiscard]] Result<std::shared_ptr<const analysis::Annotations>>
parseAnnotations(analysis::Table table, const std::vector<std::string>& texts);
/// Whether any part of the query uses row labels.
[[nodiscard]] bool usesAnnotation(const analysis::RowFilter& filter);
[[nodiscard]] bool usesAnnotation(const analysis::Query& query);
[[nodiscard]] bool usesAnnotation(const analysis::TimelineQuery& query);
/// The error for a query that uses labels when there are none.
[[nodiscard]] Error labelsAreMissing();

/// The error message, the text on one line, and a marker below the wrong part.
[[nodiscard]] std::string pointedOut(const analysis::QueryError& error, std::string_view text);

} // namespace highwater::cli
