#include "app/cli/arguments/mark_arguments.h"

#include "app/cli/arguments/query_arguments.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace highwater::cli {

Result<std::vector<Mark>> parseMarks(const std::vector<std::string>& texts, TimeRange whole) {
    std::vector<Mark> marks;
    for (const auto& text : texts) {
        const std::string_view typed(text);
        const auto equals = std::min(typed.find('='), typed.size());
        const auto seconds = trimmed(typed.substr(0, equals));
        const auto name = trimmed(typed.substr(std::min(equals + 1, typed.size())));
        const auto time = parseSeconds(seconds);
        if (!time || (equals < typed.size() && name.empty()))
            return Error{
                ErrorKind::Usage,
                fmt::format("Write a mark as SECONDS or SECONDS=NAME, such as 2.5=loaded (not \"{}\").", text)};
        if (!whole.contains(*time))
            return Error{
                ErrorKind::Usage,
                whole.end == kNever
                    ? fmt::format("The mark \"{}\" is before the start of the trace.", text)
                    : fmt::format("The mark \"{}\" is outside the trace, which covers {} s to {} s (exclusive).", text,
                                  secondsText(whole.start), secondsText(whole.end))};
        // No recorded event has this tick count.
        const auto ticks = std::numeric_limits<std::int64_t>::min() + static_cast<std::int64_t>(marks.size());
        marks.push_back({ticks, *time, name.empty() ? fmt::format("{} s", seconds) : std::string(name)});
    }
    return marks;
}

Result<SharedMarks> marksOf(const TraceNotes& notes, const std::vector<std::string>& texts, TimeRange whole) {
    auto marks = TRY(parseMarks(texts, whole));
    auto all = notes.marks;
    all.insert(all.end(), marks.begin(), marks.end());
    std::stable_sort(all.begin(), all.end(), comesBefore);
    return std::make_shared<const std::vector<Mark>>(std::move(all));
}

bool asksForMarks(const analysis::Query& query) {
    analysis::ColumnSet columns;
    for (const auto column : query.keys)
        columns.add(column);
    for (const auto& value : query.columns)
        columns.add(value.column);
    for (const auto& sort : query.sort)
        columns.add(sort.column);
    if (query.filter.hasConditions()) columns.add(query.filter.query->columns());
    return columns.contains(analysis::Column::Generation) || columns.contains(analysis::Column::SurvivedMarks);
}

} // namespace highwater::cli
