#include "app/cli/arguments/amount_ranges.h"

#include "app/cli/arguments/mark_arguments.h"
#include "app/cli/arguments/query_arguments.h"
#include "core/analysis/query/number_condition.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace highwater::cli {
namespace {

using analysis::Column, analysis::NumberCondition, analysis::NumberOperator, analysis::Table;

/// An option and its value as typed.
struct Typed {
    Table table;
    Column column;
    std::string_view option;
    std::string_view text;

    [[nodiscard]] Error wrong(std::string sentence, std::string_view part) const {
        const auto line = fmt::format("{} {}", option, text);
        const auto at = static_cast<std::size_t>(part.data() - text.data());
        return {ErrorKind::Usage, pointedOut({std::move(sentence), option.size() + 1 + at, part.size()}, line)};
    }
};

/// One bound of a range.
struct Bound {
    std::string_view literal;
    NumberCondition condition;
};

Result<std::optional<Bound>> boundOf(const Typed& typed, NumberOperator op, std::string_view part) {
    const auto literal = trimmed(part);
    if (literal.empty()) return std::optional<Bound>();
    auto condition = NumberCondition::create(analysis::valueKind(typed.column), op, literal);
    if (!condition.hasValue()) return typed.wrong(condition.error().message, literal);
    return std::optional(Bound{literal, condition.value()});
}

/// The smallest amount that satisfies the lower bound; empty if there is none.
std::optional<std::int64_t> leastOf(const NumberCondition& from) {
    if (from.matches(0)) return 0; // no smaller amount exists
    std::int64_t below = 0, least = std::numeric_limits<std::int64_t>::max();
    if (!from.matches(least)) return std::nullopt;
    while (least - below > 1) {
        const auto middle = below + (least - below) / 2;
        (from.matches(middle) ? least : below) = middle;
    }
    return least;
}

struct AmountRange {
    std::optional<Bound> from;
    std::optional<Bound> to;
};

Result<AmountRange> parseAmounts(const Typed& typed) {
    const auto colon = typed.text.find(':');
    if (colon == std::string_view::npos || typed.text.find(':', colon + 1) != std::string_view::npos) {
        const auto* example =
            typed.column == Column::LifeTime ? "1s: or :4.5ms or 1s:2min" : "10MB: or :64KB or 1KB:1MB";
        return typed.wrong(fmt::format("{} expects FROM:TO, such as {}.", typed.option, example), typed.text);
    }
    auto from = TRY(boundOf(typed, NumberOperator::GreaterOrEqual, typed.text.substr(0, colon)));
    auto to = TRY(boundOf(typed, NumberOperator::Less, typed.text.substr(colon + 1)));
    AmountRange range{from, to};
    if (range.to && !range.to->condition.matches(range.from ? leastOf(range.from->condition).value_or(0) : 0))
        return typed.wrong(fmt::format("This range is empty. The start of {} must be less than its end.", typed.option),
                           typed.text);
    return range;
}

std::string conditionsOf(const Typed& typed, const AmountRange& range) {
    const auto name = analysis::columnName(typed.table, typed.column);
    std::string query;
    if (range.from) query = fmt::format("[{}]:>={}", name, range.from->literal);
    if (range.to) query += fmt::format("{}[{}]:<{}", query.empty() ? "" : " AND ", name, range.to->literal);
    return query;
}

} // namespace

Result<std::string> sizeQuery(Table table, std::string_view text) {
    if (text.empty()) return std::string();
    const Typed typed{table, Column::RowSize, "--size", text};
    const auto range = TRY(parseAmounts(typed));
    return conditionsOf(typed, range);
}

Result<std::string> lifeTimeQuery(Table table, std::string_view text, TimeRange whole) {
    if (text.empty()) return std::string();
    const Typed typed{table, Column::LifeTime, "--lifetime", text};
    if (!analysis::hasColumn(table, Column::LifeTime))
        return Error{ErrorKind::Usage, fmt::format("The table {} has no lifetimes. Use --lifetime with another table.",
                                                   analysis::tableTitle(table))};
    const auto range = TRY(parseAmounts(typed));
    const auto query = conditionsOf(typed, range);
    const bool hasEnd = range.to.has_value();
    if (!range.from || hasEnd || whole.end == kNever || !analysis::isOfAllocations(table)) return query;
    const auto least = leastOf(range.from->condition);
    if (!least || *least > whole.end.ns - whole.start.ns) return query; // longer than the trace
    const auto begin = analysis::columnName(table, Column::BeginTime),
               end = analysis::columnName(table, Column::EndTime);
    return fmt::format("{0} OR [{2}]:=[] AND ([{1}]:=[] OR [{1}]:<={3}ns) OR [{1}]:=[] AND [{2}]:>={4}ns", query, begin,
                       end, whole.end.ns - *least, whole.start.ns + *least);
}

Result<ByteCount> parseBytes(std::string_view option, std::string_view text) {
    const Typed typed{Table::Heap, Column::Size, option, text};
    const auto bound = TRY(boundOf(typed, NumberOperator::GreaterOrEqual, text));
    if (!bound) return typed.wrong("Write an amount, such as 4096 or 10MB.", text);
    if (bound->literal.front() == '-')
        return typed.wrong(fmt::format("{} must not be negative.", option), bound->literal);
    const auto least = leastOf(bound->condition);
    return static_cast<ByteCount>(least.value_or(std::numeric_limits<std::int64_t>::max()));
}

Result<ByteCount> parseGrowth(std::string_view option, std::string_view text) {
    const auto bytes = TRY(parseBytes(option, text));
    if (bytes == 0) return Error{ErrorKind::Usage, fmt::format("{} must be more than 0 bytes.", option)};
    return bytes;
}

Result<analysis::RowFilter> parseFilters(Table table, const FilterRequest& request, TimeRange whole) {
    auto filter = TRY(parseFilter(table, request.query)); // parsed alone first so that errors point into the typed text
    const auto size = TRY(sizeQuery(table, request.size));
    const auto lifeTime = TRY(lifeTimeQuery(table, request.lifeTime, whole));
    std::string query;
    for (const auto& part : {filter.hasConditions() ? request.query : std::string(), size, lifeTime}) {
        if (!part.empty()) query += fmt::format("{}({})", query.empty() ? "" : " AND ", part);
    }
    return size.empty() && lifeTime.empty() ? filter : parseFilter(table, query);
}

Result<analysis::RowFilter> parseLabelledFilters(Table table, const FilterRequest& request, TimeRange whole,
                                                 const TraceNotes* notes) {
    auto filter = TRY(parseFilters(table, request, whole));
    auto marks = TRY(marksOf(notes == nullptr ? TraceNotes() : *notes, request.marks, whole));
    auto annotations = TRY(parseAnnotations(table, request.annotations));
    if (annotations->empty() && usesAnnotation(filter)) return labelsAreMissing();
    filter.marks = std::move(marks);
    filter.annotations = std::move(annotations);
    return filter;
}

} // namespace highwater::cli
