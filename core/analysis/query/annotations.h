#pragma once

#include "core/analysis/query/query_expression.h"
#include "core/base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// A user-defined label and the query for its rows.
struct Annotation {
    std::string label;
    std::string text; ///< the query as typed
    QueryExpression query;
    friend bool operator==(const Annotation&, const Annotation&) = default;
};

/// Values of Column::Annotation: a row gets the label of the first query that it satisfies. A query without conditions
/// labels all remaining rows.
using Annotations = std::vector<Annotation>;

/// The text of rows without a label. Rows that match a query with this label have no label, regardless of later
/// queries.
inline constexpr std::string_view kNoAnnotation = "(none)";
inline constexpr std::size_t kLongestLabel = 256; ///< bytes
inline constexpr std::size_t kMostAnnotations = 256;

/// Parses a query that can select the rows of a label. Error: the query uses the label itself, or values of groups
/// instead of rows.
[[nodiscard]] ParsedQuery parseAnnotationQuery(Table table, std::string_view text);
/// A sentence if this is not a valid label; empty: valid.
[[nodiscard]] std::string labelRefusal(std::string_view label);
/// From label and query as typed; surrounding blanks are ignored. Errors are of kind Usage.
[[nodiscard]] Result<Annotation> makeAnnotation(Table table, std::string_view label, std::string_view text);
/// Why these cannot label the rows of this table (kind Usage): too many, or for a different table. Nothing: they can.
[[nodiscard]] std::optional<Error> refusalOf(const Annotations& annotations, Table table);

/// The columns of all queries.
[[nodiscard]] ColumnSet columnsOf(const Annotations& annotations);
/// Whether the column's value for a row depends on the interval.
[[nodiscard]] bool isOfInterval(Column column, const Annotations& annotations);

} // namespace highwater::analysis
