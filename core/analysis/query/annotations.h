#pragma once

#include "core/analysis/query/query_expression.h"
#include "core/base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// A label of the user's, and which rows get it.
struct Annotation {
    std::string label;
    std::string text; ///< the query as it was typed
    QueryExpression query;
    friend bool operator==(const Annotation&, const Annotation&) = default;
};

/// What Column::Annotation says: of each row the label of the first query that it satisfies. A query without conditions
/// labels all that is left.
using Annotations = std::vector<Annotation>;

/// What rows without a label read like. A query with this label leaves its rows without one, whatever follows.
inline constexpr std::string_view kNoAnnotation = "(none)";
inline constexpr std::size_t kLongestLabel = 256; ///< bytes
inline constexpr std::size_t kMostAnnotations = 256;

/// A query that can choose the rows of a label, or why it cannot: it asks for the label itself, or for values of groups
/// and not of rows.
[[nodiscard]] ParsedQuery parseAnnotationQuery(Table table, std::string_view text);
/// A sentence if this cannot be a label; empty: it can.
[[nodiscard]] std::string labelRefusal(std::string_view label);
/// Label and query, as typed: blanks around them do not count. Errors are of kind Usage.
[[nodiscard]] Result<Annotation> makeAnnotation(Table table, std::string_view label, std::string_view text);
/// Why these cannot label the rows of this table (kind Usage), if so: they are too many, or another table's.
[[nodiscard]] std::optional<Error> refusalOf(const Annotations& annotations, Table table);

/// The columns of all queries.
[[nodiscard]] ColumnSet columnsOf(const Annotations& annotations);
/// Whether it depends on the interval what the column says of a row.
[[nodiscard]] bool isOfInterval(Column column, const Annotations& annotations);

} // namespace highwater::analysis
