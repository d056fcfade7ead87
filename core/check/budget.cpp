#include "core/check/budget.h"

#include "core/analysis/query/query_expression.h"
#include "core/base/text.h"
#include "core/summary/normalised_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace highwater::check {
namespace {

/// In the order of BudgetMeasure.
constexpr std::array<std::string_view, 8> kMeasures{"outstanding", "count", "peak",     "allocated",
                                                    "churn",       "slope", "rss_peak", "held"};

std::string_view suffixOf(BudgetMeasure measure) {
    switch (measure) {
    case BudgetMeasure::Churn:
        return "/s";
    case BudgetMeasure::Slope:
        return "/h";
    default:
        return "";
    }
}

/// Removes the first word from `text` and returns it.
std::string_view takeWord(std::string_view& text) {
    text = trimmed(text);
    const auto end = std::min(text.find_first_of(" \t"), text.size());
    const auto word = text.substr(0, end);
    text = trimmed(text.substr(end));
    return word;
}

/// "20MB", "1.5 GB" without the blank, "4096"; optionally followed by "/s" for churn and "/h" for slope.
std::optional<std::int64_t> parseLimit(BudgetMeasure measure, std::string_view word) {
    const auto suffix = suffixOf(measure);
    if (!suffix.empty() && lowered(word).ends_with(suffix)) word.remove_suffix(suffix.size());
    double amount = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), amount);
    if (error != std::errc() || !(amount >= 0)) return std::nullopt;
    const auto unit = lowered(word.substr(static_cast<std::size_t>(end - word.data())));
    constexpr std::array<std::string_view, 6> kUnits{"", "b", "kb", "mb", "gb", "tb"};
    const auto found = std::find(kUnits.begin(), kUnits.end(), unit);
    if (found == kUnits.end() || (measure == BudgetMeasure::Count && !unit.empty())) return std::nullopt;
    const auto power = std::max<std::ptrdiff_t>(found - kUnits.begin() - 1, 0);
    amount *= std::pow(1024.0, static_cast<double>(power));
    constexpr double kMost = 9e18;
    if (!(amount <= kMost)) return std::nullopt;
    return std::llround(amount);
}

/// The query for the rows of a line; nothing: `scope` is unknown.
std::optional<std::string> queryOf(std::string_view scope, std::string_view pattern) {
    const auto quoted = [&](std::string_view column, const std::string& value) {
        return fmt::format("[{}]:~{}", column, analysis::QueryExpression::quoted(value));
    };
    if (scope == "stack") return quoted("Stack", std::string(pattern));
    if (scope == "module") return quoted("Stack", fmt::format("{}!*", pattern));
    if (scope == "process") return quoted("Process Name", std::string(pattern));
    if (scope == "where") return std::string(pattern);
    return std::nullopt;
}

Result<BudgetRule> parseRule(std::string_view line, analysis::Table table) {
    BudgetRule rule;
    rule.text = std::string(line);
    std::ranges::replace(rule.text, '\t', ' '); // for displays that do not support tabs
    auto rest = line;
    const auto measure = takeWord(rest);
    const auto known = std::find(kMeasures.begin(), kMeasures.end(), lowered(measure));
    if (known == kMeasures.end())
        return Error{ErrorKind::Usage,
                     fmt::format("unknown measure \"{}\"; use {}", measure, fmt::join(kMeasures, ", "))};
    rule.measure = static_cast<BudgetMeasure>(known - kMeasures.begin());
    const auto limitWord = takeWord(rest);
    const auto limit = parseLimit(rule.measure, limitWord);
    if (!limit)
        return Error{ErrorKind::Usage, fmt::format("\"{}\" is not a limit; write {}", limitWord,
                                                   rule.measure == BudgetMeasure::Count ? "a number, such as 1000"
                                                                                        : "an amount, such as 20MB")};
    rule.limit = *limit;
    if (rest.empty()) return rule;
    const auto scope = lowered(takeWord(rest));
    if (rule.measure == BudgetMeasure::RssPeak && (scope != "process" || rest.empty()))
        return Error{ErrorKind::Usage, "rss_peak can only be limited for processes; write process PATTERN, or nothing, "
                                       "after the limit"};
    const auto query = queryOf(scope, rest);
    if (!query || rest.empty())
        return Error{ErrorKind::Usage,
                     "expected stack PATTERN, module PATTERN, process PATTERN or where QUERY after the limit"};
    rule.filter.query = TRY(parseBudgetQuery(table, *query));
    if (auto refusal = rule.filter.refusal(table)) return *std::move(refusal);
    return rule;
}

} // namespace

std::string_view measureWord(BudgetMeasure measure) { return kMeasures[static_cast<std::size_t>(measure)]; }

std::string amountText(BudgetMeasure measure, std::int64_t amount) {
    const auto magnitude =
        amount < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(amount) : static_cast<std::uint64_t>(amount);
    const auto text = measure == BudgetMeasure::Count ? thousands(magnitude) : bytesText(magnitude);
    return fmt::format("{}{}{}", amount < 0 ? "-" : "", text, suffixOf(measure));
}

Result<analysis::QueryExpression> parseBudgetQuery(analysis::Table table, std::string_view text) {
    const auto parsed = analysis::QueryExpression::parse(table, text);
    if (!parsed.hasValue()) return Error{ErrorKind::Usage, parsed.error().sentence};
    return parsed.value().alsoOfFrames([](std::string_view label) { return summary::normalised(label).text; });
}

Result<std::vector<BudgetRule>> parseBudget(std::string_view text, analysis::Table table) {
    constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
    if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
    std::vector<BudgetRule> rules;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.starts_with('#')) continue;
        auto rule = parseRule(line, table);
        if (!rule.hasValue())
            return Error{ErrorKind::Usage, fmt::format("Line {} of the budget: {}", number, rule.error().message)};
        rule.value().line = number;
        rules.push_back(std::move(rule).value());
    }
    if (rules.empty())
        return Error{ErrorKind::Usage, "The budget has no limits. Write at least one, such as peak 200MB."};
    return rules;
}

} // namespace highwater::check
