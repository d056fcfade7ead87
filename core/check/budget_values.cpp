#include "core/check/budget_values.h"

#include "core/analysis/balance/balance.h"
#include "core/analysis/table/grouped_table.h"
#include "core/base/as_signed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

namespace highwater::check {
namespace {

using analysis::Column, analysis::GroupedTable;

std::int64_t numberIn(const GroupedTable& table, Column column) {
    const auto value = table.value(GroupedTable::kRoot, column);
    const auto* number = std::get_if<std::int64_t>(&value);
    return number == nullptr ? 0 : *number;
}

bool isUnknown(const GroupedTable& table, Column column) {
    return std::holds_alternative<std::monostate>(table.value(GroupedTable::kRoot, column));
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
    case BudgetMeasure::Held:
        return {Column::HeldPages, Column::Count};
    case BudgetMeasure::RssPeak: // not of rows
        break;
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
    case BudgetMeasure::Held:
        return numberIn(table, Column::HeldPages);
    case BudgetMeasure::RssPeak: // not of rows
        break;
    }
    return 0;
}

Error unknownValue(const BudgetRule& rule, std::string_view why) {
    return {ErrorKind::Unsupported, fmt::format("Line {} of the budget ({}) cannot be checked because {}. Record the "
                                                "run on Linux with this version of Highwater, or omit the line.",
                                                rule.line, rule.text, why)};
}

/// A sampled process, as a condition about processes sees it.
class QueriedProcess final : public analysis::QueriedRow {
  public:
    explicit QueriedProcess(const std::string& name) : name_(name) {}
    [[nodiscard]] analysis::CellValue value(Column column) const override {
        return column == Column::ProcessName ? analysis::CellValue(name_) : analysis::CellValue();
    }
    [[nodiscard]] std::span<const std::string_view> frames(Column /*column*/) const override { return {}; }

  private:
    const std::string& name_;
};

/// The highest Rss of the processes that a line selects, without the memory of Highwater; nothing: it selects none that
/// was sampled.
std::optional<std::int64_t> rssPeakOf(const store::PublishedTrace& trace, const BudgetRule& rule) {
    std::optional<std::int64_t> highest;
    for (const auto& sampled : analysis::sampledProcesses(trace, trace.wholeRange())) {
        const auto& name = (*trace.processes)[sampled.process].name;
        if (rule.filter.hasConditions() && !rule.filter.query->matches(QueriedProcess(name))) continue;
        highest = std::max(highest.value_or(0), asSigned(sampled.programPeak));
    }
    return highest;
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
        if (isOfSamples(rule.measure) && analysis::sampledProcesses(*trace, trace->wholeRange()).empty())
            return unknownValue(rule, "the run has no samples of resident memory");
        if (rule.measure == BudgetMeasure::RssPeak) {
            values.push_back(rssPeakOf(*trace, rule).value_or(0)); // 0: the line matches nothing
            continue;
        }
        auto query = queryFor(rule, *trace, marks, table);
        if (rule.measure == BudgetMeasure::Count) keepOutstanding(query.filter, table);
        const auto computed = TRY(GroupedTable::compute(trace, labels, query));
        // Peaks and slopes are computed only on request.
        const std::array root{GroupedTable::kRoot};
        TRY(computed->computeValues(root));
        const bool isHeld = rule.measure == BudgetMeasure::Held;
        if (isHeld && isUnknown(*computed, Column::HeldPages) && numberIn(*computed, Column::Count) > 0)
            return unknownValue(rule, computed->rowsOnUnknownPages() > 0
                                          ? "it is unknown which pages of the rows that it selects are in RAM"
                                          : "none of the processes that it selects was sampled");
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
        if (rule.measure == BudgetMeasure::RssPeak) {
            matches.push_back(rssPeakOf(*trace, rule).has_value());
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
