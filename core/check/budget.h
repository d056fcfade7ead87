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

/// What a line of a budget limits, of the rows that it is about, over a whole run.
enum class BudgetMeasure : std::uint8_t {
    Outstanding, ///< bytes at the end
    Count,       ///< rows that are outstanding at the end
    Peak,        ///< bytes
    Allocated,   ///< bytes
    Churn,       ///< bytes allocated a second
    Slope,       ///< bytes an hour
};
[[nodiscard]] std::string_view measureWord(BudgetMeasure measure);
/// With its unit: "20.0 MB", "1.5 MB/s".
[[nodiscard]] std::string amountText(BudgetMeasure measure, std::int64_t amount);

/// A line of a budget.
struct BudgetRule {
    std::size_t line = 0; ///< from 1
    std::string text;     ///< as it stands there, without blanks at its ends
    BudgetMeasure measure = BudgetMeasure::Outstanding;
    std::int64_t limit = 0; ///< that is allowed
    analysis::RowFilter filter;
};

/// A query whose conditions of stacks are about functions as tables call them, and as reports of a check do
/// (summary::normalised()). Errors: Usage.
[[nodiscard]] Result<analysis::QueryExpression> parseBudgetQuery(analysis::Table table, std::string_view text);

/// A budget: a line each, # begins a comment (docs/command-line.md, check). Words are read in any
/// case. Errors: Usage, with the number of the line, or where there is none.
///     MEASURE LIMIT [stack PATTERN | module PATTERN | process PATTERN | where QUERY]
[[nodiscard]] Result<std::vector<BudgetRule>> parseBudget(std::string_view text, analysis::Table table);

} // namespace highwater::check
