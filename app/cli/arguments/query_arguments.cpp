#include "app/cli/arguments/query_arguments.h"

#include "core/analysis/table/nothing_found.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace highwater::cli {
namespace {

using analysis::Column, analysis::SortKey, analysis::Table, analysis::ValueColumn;

Error usage(std::string message) { return {ErrorKind::Usage, std::move(message)}; }

std::string optionWords(std::string_view option, std::string_view value) {
    constexpr std::size_t kMostLetters = 200;
    return value.size() > kMostLetters ? std::string(option) : fmt::format("{} '{}'", option, value);
}

std::vector<std::string_view> splitAtCommas(std::string_view text) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const auto end = std::min(text.find(','), text.size());
        parts.push_back(trimmed(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

enum class Wanted { Keys, Any };

std::string columnNames(Table table, Wanted wanted) {
    std::string names;
    for (const auto column : analysis::columnsOf(table)) {
        if (wanted == Wanted::Keys && analysis::isAggregate(column)) continue;
        if (!names.empty()) names += ", ";
        names += analysis::columnName(table, column);
    }
    return names;
}

Error unknownColumn(Table table, std::string_view name, Wanted wanted) {
    return usage(fmt::format("Unknown column \"{}\"{} in the table {}. Available columns: {}.", name,
                             wanted == Wanted::Keys ? " to group by" : "", analysis::tableWord(table),
                             columnNames(table, wanted)));
}

Result<ValueColumn> parseValue(Table table, std::string_view name) {
    if (const auto column = analysis::parseValueColumn(table, name)) return *column;
    const auto open = name.find('(');
    if (open == std::string_view::npos || !name.ends_with(')')) return unknownColumn(table, name, Wanted::Any);
    const auto column = analysis::parseColumn(table, trimmed(name.substr(open + 1, name.size() - open - 2)));
    if (!column) return unknownColumn(table, name, Wanted::Any);
    std::string offered;
    for (const auto aggregation : analysis::aggregationsOf(table, *column)) {
        if (aggregation == analysis::Aggregation::Own) continue;
        offered += offered.empty() ? "" : ", ";
        offered += analysis::valueColumnName(table, {*column, aggregation});
    }
    return usage(fmt::format("The table {} does not have \"{}\". Available: {}{}{}.", analysis::tableWord(table), name,
                             analysis::columnName(table, *column), offered.empty() ? "" : ", ", offered));
}

/// Terminal columns that the text occupies; UTF-8 continuation bytes occupy none.
std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

} // namespace

std::vector<std::string> FilterRequest::words() const {
    std::vector<std::string> words;
    if (!query.empty()) words.push_back(optionWords("--filter", query));
    if (!lifeTime.empty()) words.push_back(optionWords("--lifetime", lifeTime));
    if (!size.empty()) words.push_back(optionWords("--size", size));
    return words;
}

std::optional<TraceTime> parseSeconds(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    constexpr double kMaxSeconds = 9e9; // fits into 64-bit nanoseconds
    const bool isNumber = error == std::errc{} && end == text.data() + text.size();
    if (!isNumber || !std::isfinite(value) || std::abs(value) > kMaxSeconds) return std::nullopt;
    return TraceTime{std::llround(value * 1e9)};
}

std::string pointedOut(const analysis::QueryError& error, std::string_view text) {
    std::string line(text);
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
    const auto position = std::min(error.position, line.size());
    const auto before = width(std::string_view(line).substr(0, position));
    const auto marked = width(std::string_view(line).substr(position, error.length));
    return fmt::format("{}\n  {}\n  {}^{}", error.sentence, line, std::string(before, ' '),
                       std::string(std::max<std::size_t>(marked, 1) - 1, '~'));
}

Result<Table> parseTableWord(std::string_view word) {
    if (const auto table = analysis::parseTable(word)) return *table;
    return usage(
        fmt::format("Unknown table \"{}\". Tables: virtualalloc, heap, frees, snapshot, managed, gcheap.", word));
}

Result<TimeRange> parseRange(std::string_view text, TimeRange whole) {
    if (text.empty()) return whole;
    const auto colon = text.find(':');
    const auto wrong = [&] {
        return usage(fmt::format("Write a range as START:END in seconds, such as 2.5:10 or 20: (not \"{}\").", text));
    };
    if (colon == std::string_view::npos) return wrong();
    auto range = whole;
    const auto start = trimmed(text.substr(0, colon)), end = trimmed(text.substr(colon + 1));
    if (!start.empty()) {
        const auto parsed = parseSeconds(start);
        if (!parsed) return wrong();
        // A trace that starts later has no data before its start.
        range.start = whole.start > TraceTime{0} ? std::max(*parsed, whole.start) : *parsed;
    }
    if (!end.empty()) {
        const auto parsed = parseSeconds(end);
        if (!parsed) return wrong();
        range.end = *parsed;
    }
    if (text == ":") return range;
    // The end is unknown (kNever) before the trace is read.
    const bool isOneSided = start.empty() || end.empty();
    if (range.isEmpty() && isOneSided && whole.end != kNever)
        return usage(fmt::format("The range \"{}\" is outside the trace, which covers {} s to {} s (exclusive).", text,
                                 secondsText(whole.start), secondsText(whole.end)));
    if (range.isEmpty())
        return usage(fmt::format("A range must start before it ends; \"{}\" is {} s to {} s of this trace.", text,
                                 secondsText(range.start), secondsText(range.end)));
    return range;
}

Result<TimeRange> parseInterval(std::string_view text, TimeRange whole) {
    auto range = TRY(parseRange(text, whole));
    if (const auto refusal = analysis::refusalOf(range, whole)) return *refusal;
    if (whole.isEmpty()) return range;
    return TimeRange{std::max(range.start, whole.start), std::min(range.end, whole.end)};
}

Result<std::vector<Column>> parseKeys(Table table, std::string_view text) {
    std::vector<Column> columns;
    for (const auto name : splitAtCommas(text)) {
        const auto column = analysis::parseColumn(table, name);
        if (!column || analysis::isAggregate(*column)) return unknownColumn(table, name, Wanted::Keys);
        columns.push_back(*column);
    }
    return columns;
}

Result<std::vector<ValueColumn>> parseValueColumns(Table table, std::string_view text) {
    std::vector<ValueColumn> columns;
    for (const auto name : splitAtCommas(trimmed(text))) {
        const auto column = TRY(parseValue(table, name));
        // Duplicates are dropped because a JSON row has one value per name.
        const bool isNew = std::find(columns.begin(), columns.end(), column) == columns.end();
        if (isNew) columns.push_back(column);
    }
    if (!columns.empty()) return columns;
    const auto offered = analysis::columnsOf(table);
    // Columns without a sum show their maximum.
    const auto last = analysis::hasColumn(table, Column::Size) ? Column::Size : Column::PeakSize;
    for (const auto column : {Column::Count, Column::ImpactingSize, last}) {
        if (std::find(offered.begin(), offered.end(), column) != offered.end()) columns.push_back(column);
    }
    return columns;
}

Result<std::vector<SortKey>> parseSort(Table table, std::string_view text) {
    std::vector<SortKey> keys;
    for (const auto part : splitAtCommas(text)) {
        const auto colon = std::min(part.find(':'), part.size());
        const auto name = trimmed(part.substr(0, colon));
        const auto direction = colon < part.size() ? trimmed(part.substr(colon + 1)) : std::string_view();
        const auto column = TRY(parseValue(table, name));
        if (colon < part.size() && direction != "asc" && direction != "desc") {
            return usage(fmt::format("Sort directions are asc and desc (not \"{}\").", direction));
        }
        const auto [of, aggregation] = column;
        const bool isNumber = analysis::isAggregate(of) || aggregation != analysis::Aggregation::Own;
        keys.push_back({of, direction.empty() ? isNumber : direction == "desc", aggregation});
    }
    return keys;
}

Result<analysis::RowFilter> parseFilter(Table table, std::string_view text) {
    const auto query = analysis::QueryExpression::parse(table, text);
    if (!query.hasValue()) return usage(pointedOut(query.error(), text));
    analysis::RowFilter filter;
    if (!query.value().isEmpty()) filter.query = query.value();
    if (auto refusal = filter.refusal(table)) return *std::move(refusal);
    return filter;
}

bool readsFrames(const analysis::RowFilter& filter) {
    if (!filter.hasConditions()) return false;
    auto named = filter.query->columns();
    if (filter.annotations && usesAnnotation(filter)) named.add(analysis::columnsOf(*filter.annotations));
    const auto columns = analysis::columnsOf(filter.query->table());
    return std::any_of(columns.begin(), columns.end(),
                       [named](auto column) { return analysis::showsNames(column) && named.contains(column); });
}

Result<std::shared_ptr<const analysis::Annotations>> parseAnnotations(Table table,
                                                                      const std::vector<std::string>& texts) {
    analysis::Annotations annotations;
    for (const std::string_view text : texts) {
        const auto equals = text.find('=');
        if (equals == std::string_view::npos) {
            return usage(
                fmt::format("Write a label as LABEL=QUERY, such as 'Cache=[Stack]:~=\"Cache::\"' (not \"{}\").", text));
        }
        const auto query = trimmed(text.substr(equals + 1));
        const auto parsed = analysis::parseAnnotationQuery(table, query);
        if (!parsed.hasValue()) return usage(pointedOut(parsed.error(), query));
        auto made = analysis::makeAnnotation(table, text.substr(0, equals), query);
        if (!made.hasValue()) return usage(fmt::format("{} In --annotate \"{}\".", made.error().message, text));
        annotations.push_back(std::move(made).value());
    }
    if (auto refusal = analysis::refusalOf(annotations, table)) return *std::move(refusal);
    return std::make_shared<const analysis::Annotations>(std::move(annotations));
}

bool usesAnnotation(const analysis::RowFilter& filter) {
    return filter.hasConditions() && filter.query->columns().contains(Column::Annotation);
}

bool usesAnnotation(const analysis::Query& query) {
    const auto isIt = [](const auto& asked) { return asked.column == Column::Annotation; };
    return usesAnnotation(query.filter) ||
           std::find(query.keys.begin(), query.keys.end(), Column::Annotation) != query.keys.end() ||
           std::any_of(query.columns.begin(), query.columns.end(), isIt) ||
           std::any_of(query.sort.begin(), query.sort.end(), isIt);
}

bool usesAnnotation(const analysis::TimelineQuery& query) {
    return usesAnnotation(query.filter) || query.by == Column::Annotation;
}

Error labelsAreMissing() { return usage("[Annotation] has no labels. Define them with --annotate LABEL=QUERY."); }

} // namespace highwater::cli
