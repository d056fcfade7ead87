#include "core/analysis/query/query_columns.h"

#include "core/analysis/columns/column_specs.h"
#include "core/analysis/query/text_condition.h"
#include "core/base/text.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace highwater::analysis {
namespace {

constexpr std::size_t kMostSuggestions = 3;
constexpr std::size_t kLongestName = 64;

/// Insertions, removals, replacements and swaps of neighbours that make `b` of `a`.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> beforeLast, last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], beforeLast[j - 2] + 1);
        }
        beforeLast = std::exchange(last, row);
    }
    return last[b.size()];
}

/// To the whole name or, a little worse, to one of its words.
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
