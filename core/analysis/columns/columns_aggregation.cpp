#include "core/analysis/columns/columns.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace highwater::analysis {
namespace {

using enum Aggregation;

constexpr std::array kOfSizes{Sum, Count, Min, Max, Average, UniqueCount, Peak};
constexpr std::array kOfReleasedSizes{Sum, Count, Min, Max, Average, UniqueCount}; // nothing is outstanding in Frees
constexpr std::array kOfCounts{Sum, Peak};
constexpr std::array kOfReleasedCounts{Sum};
constexpr std::array kOfChanges{Sum, Min, Max, Average};
constexpr std::array kOfPeaks{Own};
constexpr std::array kOfTimes{Own, Min, Max, UniqueCount, Count};
constexpr std::array kOfAmounts{Own, Sum, Min, Max, Average, Count, UniqueCount};
constexpr std::array kOfAddresses{Own, Count, UniqueCount, Min, Max};
constexpr std::array kOfKeys{Own, Count, UniqueCount};

constexpr std::array<std::string_view, 8> kAggregationNames{"",    "Sum",     "Count",        "Min",
                                                            "Max", "Average", "Unique Count", "Peak"};

/// Blanks do not count, neither does case.
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
    const auto known = columnsOf(table);
    if (std::find(known.begin(), known.end(), column) == known.end()) return {};
    const bool releases = table == Table::Frees;
    switch (column) {
    case Column::Size:
        if (releases) return kOfReleasedSizes;
        return kOfSizes;
    case Column::Count:
        if (releases) return kOfReleasedCounts;
        return kOfCounts;
    case Column::ImpactingSize:
    case Column::Allocated:
    case Column::Freed:
        return kOfChanges;
    case Column::PeakSize:
        return kOfPeaks;
    case Column::BeginTime:
    case Column::EndTime:
        return kOfTimes;
    case Column::LifeTime:
    case Column::SelectionLifeTime:
    case Column::RowSize:
        return kOfAmounts;
    case Column::Address:
    case Column::PageAddress:
        return kOfAddresses;
    default:
        return kOfKeys;
    }
}

std::string_view aggregationName(Aggregation aggregation) {
    return kAggregationNames[static_cast<std::size_t>(aggregation)];
}

ValueColumn normalized(ValueColumn column) {
    if (column == Column::PeakSize) return {Column::Size, Peak};
    if (column.aggregation == Sum && isAggregate(column.column)) return column.column;
    return column;
}

ValueKind valueKind(ValueColumn column) {
    if (column.aggregation == Count || column.aggregation == UniqueCount) return ValueKind::Count;
    switch (column.column) {
    case Column::Pid:
    case Column::Thread:
    case Column::Count:
        return ValueKind::Count;
    case Column::Handle:
    case Column::Address:
    case Column::PageAddress:
        return ValueKind::Hex;
    case Column::BeginTime:
    case Column::EndTime:
        return ValueKind::Time;
    case Column::LifeTime:
    case Column::SelectionLifeTime:
        return ValueKind::Duration;
    case Column::RowSize:
    case Column::Size:
    case Column::Allocated:
    case Column::Freed:
    case Column::PeakSize:
        return ValueKind::Bytes;
    case Column::ImpactingSize:
        return ValueKind::SignedBytes;
    default:
        return ValueKind::Text;
    }
}

std::string valueColumnName(Table table, ValueColumn column) {
    std::string name(columnName(table, column.column));
    if (column.aggregation == Own) return name;
    return std::string(aggregationName(column.aggregation)) + '(' + name + ')';
}

std::optional<ValueColumn> parseValueColumn(Table table, std::string_view name) {
    // First as a plain name: one of them has brackets, "Stack (bottom-up)".
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
