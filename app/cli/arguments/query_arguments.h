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

/// The words of the command line as parts of a query. Errors are of kind Usage and say what would be right.

[[nodiscard]] Result<analysis::Table> parseTableWord(std::string_view word);
/// "2.5"; nothing: it is no number of seconds.
[[nodiscard]] std::optional<TraceTime> parseSeconds(std::string_view text);
/// "START:END" in seconds, either may be empty: the whole trace's start or end.
[[nodiscard]] Result<TimeRange> parseRange(std::string_view text, TimeRange whole);
/// The same of a trace that is known, as much of it as the trace has. Error: it has nothing of it.
[[nodiscard]] Result<TimeRange> parseInterval(std::string_view text, TimeRange whole);
/// "COL,COL": columns that rows can be grouped by.
[[nodiscard]] Result<std::vector<analysis::Column>> parseKeys(analysis::Table table, std::string_view text);
/// "COL,COL": any columns, also aggregated ("Max(Size)"); empty: Count, Impacting Size, Size as far as the table has
/// them.
[[nodiscard]] Result<std::vector<analysis::ValueColumn>> parseValueColumns(analysis::Table table,
                                                                           std::string_view text);
/// "COL[:asc|:desc],...", also aggregated: numbers fall, texts rise unless it is said.
[[nodiscard]] Result<std::vector<analysis::SortKey>> parseSort(analysis::Table table, std::string_view text);
/// A query of the find row's language; blank: all rows. The message of an error ends with the query and a line that
/// points at the place.
[[nodiscard]] Result<analysis::RowFilter> parseFilter(analysis::Table table, std::string_view text);

/// Whether an answer that is filtered so depends on what frames are called: the filter names a column of frames, or
/// looks for a text in all columns.
[[nodiscard]] bool readsFrames(const analysis::RowFilter& filter);

/// "LABEL=QUERY" each, in their order; a query may be blank: all rows that are left.
[[nodiscard]] Result<std::shared_ptr<const analysis::Annotations>>
parseAnnotations(analysis::Table table, const std::vector<std::string>& texts);
/// Whether any part of it is about the labels of rows.
[[nodiscard]] bool usesAnnotation(const analysis::RowFilter& filter);
[[nodiscard]] bool usesAnnotation(const analysis::Query& query);
[[nodiscard]] bool usesAnnotation(const analysis::TimelineQuery& query);
/// Why a question that is about labels has no answer.
[[nodiscard]] Error labelsAreMissing();

/// The sentence of the error, the text in one line, and under it a mark at the place.
[[nodiscard]] std::string pointedOut(const analysis::QueryError& error, std::string_view text);

} // namespace highwater::cli
