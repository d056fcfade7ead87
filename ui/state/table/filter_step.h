#pragma once

#include "core/analysis/query/query_expression.h"
#include "core/analysis/query/row_filter.h"
#include "core/base/result.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace highwater::ui {

/// What a step holds for: the graph that has it, or each graph of its tab whose table knows its columns.
enum class FilterScope : std::uint8_t { ThisGraph, AllGraphs };

/// One part of a filter with the words that stand on its chip: selected rows or a query.
struct FilterStep {
    analysis::RowFilter::Clause clause; ///< means nothing if there is a query
    QString text;                       ///< of a query: what was typed
    std::optional<analysis::QueryExpression> query = std::nullopt;
    bool hasName = false; ///< the text is a name that it was given, not what its rows are called
    FilterScope scope = FilterScope::ThisGraph;
    friend bool operator==(const FilterStep&, const FilterStep&) = default;
};

/// Whether they keep and remove the same, whatever they are called, and where they hold.
[[nodiscard]] bool areTheSame(const FilterStep& a, const FilterStep& b);

/// Whether a table has all columns that the step is about; a single row is known to the table alone that it is of.
[[nodiscard]] bool suits(const FilterStep& step, analysis::Table table);

/// The words of a step about rows, of which the first is called `firstRow`.
[[nodiscard]] QString labelOf(const analysis::RowFilter::Clause& clause, const QString& firstRow);

/// Why a table shows nothing: what nothing of the interval matches. There is at least one step.
[[nodiscard]] QString nothingMatches(const std::vector<FilterStep>& steps);

/// What was done to a filter.
struct FilterChange {
    enum class Kind { Taken, Removed, Cleared, Undone };
    Kind kind = Kind::Cleared;
    FilterStep step = {}; ///< the one that was taken or removed
};
/// What the history says about it.
[[nodiscard]] QString labelOf(const FilterChange& change);
/// Wherever the step stands among these.
void renameStep(std::vector<FilterStep>& steps, const FilterStep& step, const QString& text);

/// Whether what the query finds depends on the names of functions, so that they are to be loaded for it.
[[nodiscard]] bool dependsOnNames(const analysis::QueryExpression& query);
/// Whether the query asks for values of groups (sums, peaks): no filter of single rows finds the same.
[[nodiscard]] bool isAboutGroups(const analysis::QueryExpression& query);

/// All steps must hold. Error: the queries cannot filter the rows of this table, or are too much together.
[[nodiscard]] Result<analysis::RowFilter> rowFilterOf(analysis::Table table, const std::vector<FilterStep>& steps);

} // namespace highwater::ui
