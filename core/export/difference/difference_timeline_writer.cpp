#include "core/base/text.h"
#include "core/export/difference/difference_rows.h"
#include "core/export/difference/difference_writer.h"
#include "core/export/text_tree.h"

#include <fmt/format.h>

#include <optional>

namespace highwater::exports {
namespace {

using analysis::DifferenceTimeline;

/// nullopt: the side has no such slice.
std::optional<std::int64_t> valueAt(const std::vector<std::int64_t>& line, std::size_t slice) {
    return slice < line.size() ? std::optional(line[slice]) : std::nullopt;
}

/// "", or the number as formatted by `write`.
template <typename Write>
std::string fieldOf(const std::optional<std::int64_t>& value, Write write) {
    return value ? write(*value) : std::string();
}

std::optional<std::int64_t> deltaAt(const DifferenceTimeline& timeline, std::size_t slice) {
    const auto before = valueAt(timeline.before, slice);
    const auto after = valueAt(timeline.after, slice);
    if (!before || !after) return std::nullopt;
    return analysis::Change{*before, *after}.delta();
}

void writeTimelineCsv(const DifferenceTimeline& timeline, std::ostream& out) {
    out << "Time (s),Outstanding before,Outstanding after,Outstanding delta\n";
    const auto plain = [](std::int64_t value) { return fmt::format("{}", value); };
    for (std::size_t i = 0; i + 1 < timeline.edges.size(); ++i)
        out << fmt::format("{},{},{},{}\n", allDecimals(TraceTime{timeline.edges[i]}),
                           fieldOf(valueAt(timeline.before, i), plain), fieldOf(valueAt(timeline.after, i), plain),
                           fieldOf(deltaAt(timeline, i), plain));
}

void writeTimelineText(const DifferencePage& page, const DifferenceTimeline& timeline, std::ostream& out) {
    writeDifferenceSides(page, out);
    const auto number = [](std::int64_t value) {
        return fmt::format("{}{}", value < 0 ? "-" : "", thousands(magnitude(value)));
    };
    const auto change = [&](std::int64_t value) { return (value > 0 ? "+" : "") + number(value); };
    TextTree table;
    const auto lineOf = [&](std::string key, const std::optional<std::int64_t>& before,
                            const std::optional<std::int64_t>& after, const std::optional<std::int64_t>& delta) {
        TextLine line;
        line.level = 1;
        line.key = std::move(key);
        line.cells = {fieldOf(before, number), fieldOf(after, number), fieldOf(delta, change)};
        return line;
    };
    for (std::size_t i = 0; i + 1 < timeline.edges.size(); ++i)
        table.addAlone(lineOf(fmt::format("from {} s", allDecimals(TraceTime{timeline.edges[i]})),
                              valueAt(timeline.before, i), valueAt(timeline.after, i), deltaAt(timeline, i)));
    table.addTotal(lineOf("At the end", timeline.atEnd.before, timeline.atEnd.after, timeline.atEnd.delta()));
    table.write("Time", {"Outstanding before", "after", "delta"}, out);
}

} // namespace

void writeDifferenceTimeline(TableFormat format, const DifferencePage& page, const DifferenceTimeline& timeline,
                             std::ostream& out) {
    if (format == TableFormat::NestedJson) return writeTimelineJson(page, timeline, out);
    if (format == TableFormat::Csv) return writeTimelineCsv(timeline, out);
    writeTimelineText(page, timeline, out);
}

} // namespace highwater::exports
