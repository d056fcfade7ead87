#include "core/check/budget_values.h"

#include "core/analysis/table/grouped_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

namespace highwater::check {
namespace {

using analysis::Column, analysis::GroupedTable;

std::int64_t numberIn(const GroupedTable& table, Column column) {
    const auto value = table.value(GroupedTable::kRoot, column);
    const auto* number = std::get_if<std::int64_t>(&value);
    return number == nullptr ? 0 : *number;
}

std::vector<analysis::ValueColumn> columnsFor(BudgetMeasure measure) {
    switch (measure) {
    case BudgetMeasure::Outstanding:
        return {Column::Size, Column::Allocated, Column::ImpactingSize};
    case BudgetMeasure::Count:
        return {Column::Count};
    case BudgetMeasure::Peak:
        return {Column::PeakSize};
    case BudgetMeasure::Allocated:
    case BudgetMeasure::Churn:
        return {Column::Allocated};
    case BudgetMeasure::Slope:
        return {Column::Slope};
    }
    return {};
}

std::int64_t valueIn(const GroupedTable& table, BudgetMeasure measure, double seconds) {
    switch (measure) {
    case BudgetMeasure::Outstanding: // the amount at the start plus the change
        return numberIn(table, Column::Size) - numberIn(table, Column::Allocated) +
               numberIn(table, Column::ImpactingSize);
    case BudgetMeasure::Count:
        return numberIn(table, Column::Count);
    case BudgetMeasure::Peak:
        return numberIn(table, Column::PeakSize);
    case BudgetMeasure::Allocated:
        return numberIn(table, Column::Allocated);
    case BudgetMeasure::Churn:
        return seconds > 0 ? std::llround(static_cast<double>(numberIn(table, Column::Allocated)) / seconds) : 0;
    case BudgetMeasure::Slope: {
        constexpr double kMost = 9e18;
        return std::llround(std::clamp(static_cast<double>(numberIn(table, Column::Slope)) * 3600, -kMost, kMost));
    }
    }
    return 0;
}

/// Restricts the filter to rows that are outstanding at the end.
void keepOutstanding(analysis::RowFilter& filter, analysis::Table table) {
    auto text = std::string("[FreeType]:=\"(outstanding)\"");
    if (filter.hasConditions()) text += " AND (" + filter.query->toString() + ")";
    filter.query = parseBudgetQuery(table, text).value();
}

analysis::Query queryFor(const BudgetRule& rule, const store::PublishedTrace& trace, const SharedMarks& marks,
                         analysis::Table table) {
    analysis::Query query;
    query.table = table;
    query.interval = trace.wholeRange();
    query.columns = columnsFor(rule.measure);
    query.filter = rule.filter;
    query.marks = marks;
    query.allocatorFrames = analysis::AllocatorFrames::builtIn();
    return query;
}

} // namespace

Result<std::vector<std::int64_t>> budgetValuesOf(const std::shared_ptr<const store::PublishedTrace>& trace,
                                                 const std::shared_ptr<analysis::FrameLabels>& labels,
                                                 const SharedMarks& marks, analysis::Table table,
                                                 std::span<const BudgetRule> rules) {
    std::vector<std::int64_t> values;
    for (const auto& rule : rules) {
        auto query = queryFor(rule, *trace, marks, table);
        if (rule.measure == BudgetMeasure::Count) keepOutstanding(query.filter, table);
        const auto computed = TRY(GroupedTable::compute(trace, labels, query));
        // Peaks and slopes are computed only on request.
        const std::array root{GroupedTable::kRoot};
        TRY(computed->computeValues(root));
        const auto seconds = static_cast<double>(query.interval.end.ns - query.interval.start.ns) / 1e9;
        values.push_back(valueIn(*computed, rule.measure, seconds));
    }
    return values;
}

Result<std::vector<bool>> budgetMatchesOf(const std::shared_ptr<const store::PublishedTrace>& trace,
                                          const std::shared_ptr<analysis::FrameLabels>& labels,
                                          const SharedMarks& marks, analysis::Table table,
                                          std::span<const BudgetRule> rules) {
    std::vector<bool> matches;
    for (const auto& rule : rules) {
        if (!rule.filter.hasConditions()) {
            matches.push_back(true);
            continue;
        }
        auto query = queryFor(rule, *trace, marks, table);
        query.columns = {Column::Count};
        const auto computed = TRY(GroupedTable::compute(trace, labels, query));
        matches.push_back(numberIn(*computed, Column::Count) > 0);
    }
    return matches;
}

} // namespace highwater::check
