#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/query/row_filter.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::check {

/// The value that a budget line limits, for its rows over a whole run.
enum class BudgetMeasure : std::uint8_t {
    Outstanding, ///< bytes at the end
    Count,       ///< rows that are outstanding at the end
    Peak,        ///< bytes
    Allocated,   ///< bytes
    Churn,       ///< bytes allocated per second
    Slope,       ///< bytes per hour
    RssPeak, ///< the highest Rss of a process without the memory of Highwater, in bytes; rules select only processes
    Held,    ///< Held Pages at the newest samples of resident memory, in bytes
};
/// Whether it needs samples of resident memory.
[[nodiscard]] constexpr bool isOfSamples(BudgetMeasure measure) {
    return measure == BudgetMeasure::RssPeak || measure == BudgetMeasure::Held;
}
[[nodiscard]] std::string_view measureWord(BudgetMeasure measure);
/// With its unit: "20.0 MB", "1.5 MB/s".
[[nodiscard]] std::string amountText(BudgetMeasure measure, std::int64_t amount);

/// A line of the budget.
struct BudgetRule {
    std::size_t line = 0; ///< from 1
    std::string text;     ///< as written, without surrounding blanks
    BudgetMeasure measure = BudgetMeasure::Outstanding;
    std::int64_t limit = 0; ///< highest allowed value
    analysis::RowFilter filter;
};

/// Parses a query whose conditions on stacks match functions as tables name them and as check reports name them
/// (summary::normalised()). Errors: Usage.
[[nodiscard]] Result<analysis::QueryExpression> parseBudgetQuery(analysis::Table table, std::string_view text);

/// Parses a budget with one rule per line; # starts a comment (docs/command-line.md, check). Words are not
/// case-sensitive. Errors: Usage, with the line number, or for a budget without lines.
///     MEASURE LIMIT [stack PATTERN | module PATTERN | process PATTERN | where QUERY]
[[nodiscard]] Result<std::vector<BudgetRule>> parseBudget(std::string_view text, analysis::Table table);

} // namespace highwater::check
