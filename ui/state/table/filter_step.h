#pragma once

#include "core/analysis/query/query_expression.h"
#include "core/analysis/query/row_filter.h"
#include "core/base/result.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace highwater::ui {

/// Scope of a step: its graph, or every graph of the tab whose table has its columns.
enum class FilterScope : std::uint8_t { ThisGraph, AllGraphs };

/// One part of a filter with the text of its chip: selected rows or a query.
struct FilterStep {
    analysis::RowFilter::Clause clause; ///< unused if there is a query
    QString text;                       ///< for a query: as typed
    std::optional<analysis::QueryExpression> query = std::nullopt;
    bool hasName = false; ///< the text is a given name, not the text of its rows
    FilterScope scope = FilterScope::ThisGraph;
    friend bool operator==(const FilterStep&, const FilterStep&) = default;
};

/// Whether both filter the same way, regardless of text and scope.
[[nodiscard]] bool areTheSame(const FilterStep& a, const FilterStep& b);

/// Whether the table has all columns of the step. Single rows exist only in the table that they belong to.
[[nodiscard]] bool suits(const FilterStep& step, analysis::Table table);

/// Text of a step with rows; `firstRow` is the text of the first one.
[[nodiscard]] QString labelOf(const analysis::RowFilter::Clause& clause, const QString& firstRow);

/// Explains an empty table: the filters that match nothing in the interval. There is at least one step.
[[nodiscard]] QString nothingMatches(const std::vector<FilterStep>& steps);

/// A change of a filter.
struct FilterChange {
    enum class Kind { Taken, Removed, Cleared, Undone };
    Kind kind = Kind::Cleared;
    FilterStep step = {}; ///< the step that was added or removed
};
/// Its text in the history.
[[nodiscard]] QString labelOf(const FilterChange& change);
/// Renames every occurrence of the step.
void renameStep(std::vector<FilterStep>& steps, const FilterStep& step, const QString& text);

/// Whether the query depends on function names, which then have to be loaded.
[[nodiscard]] bool dependsOnNames(const analysis::QueryExpression& query);
/// Whether the query tests values of groups (sums, peaks), which a filter of single rows cannot do.
[[nodiscard]] bool isAboutGroups(const analysis::QueryExpression& query);

/// Combines the steps with AND. Error: the queries cannot filter the rows of this table, or are too large together.
[[nodiscard]] Result<analysis::RowFilter> rowFilterOf(analysis::Table table, const std::vector<FilterStep>& steps);

} // namespace highwater::ui
