#include "core/analysis/query/query_columns.h"

#include "core/analysis/columns/column_specs.h"
#include "core/analysis/query/text_condition.h"
#include "core/base/edit_distance.h"
#include "core/base/text.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace highwater::analysis {
namespace {

constexpr std::size_t kMostSuggestions = 3;
constexpr std::size_t kLongestName = 64;

/// To the whole name or, with a small penalty, to one of its words.
std::size_t distanceTo(std::string_view columnName, std::string_view word) {
    auto nearest = 2 * editDistance(columnName, word);
    for (std::size_t begin = 0; begin < columnName.size();) {
        const auto end = std::min(columnName.find(' ', begin), columnName.size());
        nearest = std::min(nearest, 2 * editDistance(columnName.substr(begin, end - begin), word) + 1);
        begin = end + 1;
    }
    return nearest;
}

} // namespace

std::optional<Column> findColumn(Table table, std::string_view name) {
    if (const auto column = parseColumn(table, name)) return column;
    for (const auto column : columnsOf(table)) {
        std::string candidate(columnName(table, column));
        std::erase(candidate, ' ');
        if (equalsIgnoringCase(candidate, name)) return column;
    }
    return std::nullopt;
}

std::vector<Column> textColumnsOf(Table table) {
    std::vector<Column> result;
    for (const auto column : columnsOf(table)) {
        if (specOf(column).isInTextSearch) result.push_back(column);
    }
    return result;
}

std::string columnSuggestion(Table table, std::string_view name) {
    const auto word = lowered(name.substr(0, kLongestName));
    std::vector<std::pair<std::size_t, std::string_view>> near;
    for (const auto column : columnsOf(table)) {
        const auto candidate = columnName(table, column);
        const auto distance = distanceTo(lowered(candidate), word);
        if (distance <= 2 * std::max<std::size_t>(1, word.size() / 3) + 1) near.emplace_back(distance, candidate);
    }
    std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    if (near.size() > kMostSuggestions) near.resize(kMostSuggestions);
    std::string result;
    for (std::size_t i = 0; i < near.size(); ++i) {
        result += i == 0 ? " Did you mean " : i + 1 < near.size() ? ", " : " or ";
        result += '[' + std::string(near[i].second) + ']';
    }
    return result.empty() ? result : result + '?';
}

} // namespace highwater::analysis
