#include "core/analysis/columns/column_specs.h"
#include "core/analysis/columns/columns.h"
#include "core/base/enum_table.h"
#include "core/base/text.h"

#include <array>

namespace highwater::analysis {
namespace {

using enum Aggregation;

struct AggregationSpec {
    Aggregation aggregation;
    std::string_view name;
    bool isCount = false; ///< its values are counts, regardless of the column
};
constexpr std::array kAggregationSpecs{
    AggregationSpec{Own, ""},
    AggregationSpec{Sum, "Sum"},
    AggregationSpec{Count, "Count", true},
    AggregationSpec{Min, "Min"},
    AggregationSpec{Max, "Max"},
    AggregationSpec{Average, "Average"},
    AggregationSpec{WeightedAverage, "Weighted Average"},
    AggregationSpec{UniqueCount, "Unique Count", true},
    AggregationSpec{Peak, "Peak"},
};
static_assert(isEnumTable<&AggregationSpec::aggregation>(kAggregationSpecs));

const AggregationSpec& aggregationSpec(Aggregation aggregation) {
    return kAggregationSpecs[static_cast<std::size_t>(aggregation)];
}

/// Ignores blanks and case.
bool isSameWord(std::string_view a, std::string_view b) {
    const auto withoutBlanks = [](std::string_view text) {
        std::string result(text);
        std::erase(result, ' ');
        return result;
    };
    return equalsIgnoringCase(withoutBlanks(a), withoutBlanks(b));
}

} // namespace

std::span<const Aggregation> aggregationsOf(Table table, Column column) {
    if (!hasColumn(table, column)) return {};
    const auto offered = specOf(column).aggregations;
    // In other tables, nothing is outstanding for a time.
    const bool hasPeak = !offered.empty() && offered.back() == Peak;
    return !hasLevels(table) && hasPeak ? offered.first(offered.size() - 1) : offered;
}

std::string_view aggregationName(Aggregation aggregation) { return aggregationSpec(aggregation).name; }

ValueColumn normalized(ValueColumn column) {
    if (column == Column::PeakSize) return {Column::Size, Peak};
    if (column.aggregation == Sum && isAggregate(column.column)) return column.column;
    return column;
}

ValueKind valueKind(ValueColumn column) {
    return aggregationSpec(column.aggregation).isCount ? ValueKind::Count : specOf(column.column).kind;
}

bool isId(ValueColumn column) { return column.aggregation == Own && specOf(column.column).isId; }

bool startsDescending(ValueColumn column) {
    return aggregationSpec(column.aggregation).isCount || specOf(column.column).startsDescending;
}

std::string valueColumnName(Table table, ValueColumn column) {
    std::string name(columnName(table, column.column));
    if (column.aggregation == Own) return name;
    return std::string(aggregationName(column.aggregation)) + '(' + name + ')';
}

std::optional<ValueColumn> parseValueColumn(Table table, std::string_view name) {
    // Try a plain name first because one contains parentheses, "Stack (bottom-up)".
    if (const auto column = parseColumn(table, name)) return *column;
    const auto open = name.find('(');
    if (open == std::string_view::npos || !name.ends_with(')')) return std::nullopt;
    const auto word = trimmed(name.substr(0, open));
    const auto column = parseColumn(table, trimmed(name.substr(open + 1, name.size() - open - 2)));
    if (!column || word.empty()) return std::nullopt;
    for (const auto aggregation : aggregationsOf(table, *column)) {
        if (isSameWord(word, aggregationName(aggregation))) return ValueColumn{*column, aggregation};
    }
    return std::nullopt;
}

} // namespace highwater::analysis
