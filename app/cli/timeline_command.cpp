#include "app/cli/timeline_command.h"

#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/loaded_trace.h"
#include "app/cli/trace_symbols.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/analysis/timeline/memory_timeline.h"
#include "core/export/timeline_writer.h"

#include <algorithm>

namespace highwater::cli {
namespace {

using analysis::TimelineQuery;

Result<TimelineQuery> parseQuery(const TimelineRequest& request) {
    const auto table = parseTableWord(request.table);
    if (!table.hasValue()) return table.error();
    const auto keys = parseKeys(table.value(), request.by);
    if (!keys.hasValue()) return keys.error();
    if (keys.value().size() > 1) return Error{ErrorKind::Usage, "A timeline is split by one column."};
    auto filter = parseFilters(table.value(), request.filter, {TraceTime{0}, kNever});
    if (!filter.hasValue()) return filter.error();
    if (auto range = parseRange(request.range, {TraceTime{0}, kNever}); !range.hasValue()) return range.error();
    auto annotations = parseAnnotations(table.value(), request.annotations);
    if (!annotations.hasValue()) return annotations.error();

    TimelineQuery query;
    query.table = table.value();
    query.points = request.points;
    query.processExitFreesHeap = request.processExitFreesHeap;
    query.filter = std::move(filter).value();
    query.allocatorFrames = analysis::AllocatorFrames::builtIn(); // as in tables
    if (!keys.value().empty()) query.by = keys.value().front();
    query.annotations = std::move(annotations).value();
    if (query.annotations->empty() && usesAnnotation(query)) return labelsAreMissing();
    return query;
}

bool isEmpty(const analysis::Timeline& timeline) {
    return std::all_of(timeline.series.begin(), timeline.series.end(), [](const auto& series) {
        return std::all_of(series.peaks.begin(), series.peaks.end(), [](auto peak) { return peak == 0; });
    });
}

} // namespace

ExitCode runTimeline(const TimelineRequest& request, const Console& console) {
    auto query = parseQuery(request);
    if (!query.hasValue()) return fail(query.error(), console);
    const auto trace = loadTrace(request.traces);
    if (!trace.hasValue()) return fail(trace.error(), console);
    const auto& rows = *trace.value().rows;
    const auto range = parseInterval(request.range, rows.wholeRange());
    if (!range.hasValue()) return fail(range.error(), console);
    query.value().interval = range.value();
    auto filter = parseFilters(query.value().table, request.filter, rows.wholeRange());
    if (!filter.hasValue()) return fail(filter.error(), console);
    query.value().filter = std::move(filter).value();
    const auto clock = wallClock(request.wallClock, request.format, trace.value().facts.properties);
    if (!clock.hasValue()) return fail(clock.error(), console);
    auto names = readsFrames(query.value()) ? loadSymbols(request.symbols, request.traces, trace.value().rows, console)
                                            : nullptr;
    const auto labels = makeLabels(request.symbols, std::move(names));
    const auto timeline = analysis::computeTimeline(rows, *labels, query.value());
    if (!timeline.hasValue()) return fail(timeline.error(), console);

    const auto health = analysis::healthOf(rows, query.value().table);
    if (request.format == "json")
        exports::writeTimelineJson(query.value(), timeline.value(), health, console.answers);
    else
        exports::writeTimelineCsv(timeline.value(), console.answers, clock.value());
    if (isEmpty(timeline.value()))
        console.say(analysis::whyEmpty(rows, query.value().table, range.value(), !request.filter.isEmpty()));
    if (query.value().table == analysis::Table::Frees) console.say("Each slice is what was released in it.");
    return sayWhatIsMissing(health, request.strict, console);
}

} // namespace highwater::cli
