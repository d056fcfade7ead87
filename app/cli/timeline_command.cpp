#include "app/cli/timeline_command.h"

#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/mark_arguments.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/arguments/snapshot_arguments.h"
#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/trace_symbols.h"
#include "core/analysis/balance/balance.h"
#include "core/analysis/balance/resident_timeline.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/analysis/timeline/memory_timeline.h"
#include "core/base/text.h"
#include "core/export/timeline_writer.h"

#include <algorithm>

namespace highwater::cli {
namespace {

using analysis::TimelineMeasure, analysis::TimelineQuery;

TimelineMeasure measureOf(std::string_view word) {
    return word == "new" ? TimelineMeasure::NewBytes : word == "rows" ? TimelineMeasure::Count : TimelineMeasure::Bytes;
}

Result<TimelineQuery> parseQuery(const TimelineRequest& request) {
    const auto table = TRY(parseTableWord(request.table));
    const auto keys = TRY(parseKeys(table, request.by));
    if (keys.size() > 1) return Error{ErrorKind::Usage, "A timeline can be split by only one column."};
    const bool isNew = request.measure == "new";
    if (isNew && !analysis::isOfAllocations(table))
        return Error{ErrorKind::Usage,
                     fmt::format("The table {} does not support --measure new. Use --table virtualalloc or heap.",
                                 analysis::tableTitle(table))};
    if (isNew && !keys.empty())
        return Error{ErrorKind::Usage,
                     "--measure new cannot be combined with --by because it always has two series, freed and kept."};
    auto filter = TRY(parseFilters(table, request.filter, {TraceTime{0}, kNever}));
    TRY(parseRange(request.range, {TraceTime{0}, kNever}));
    TRY(parseMarks(request.filter.marks, {TraceTime{0}, kNever}));
    TRY(parseInstants(request.snapshots, {TraceTime{0}, kNever}));
    auto annotations = TRY(parseAnnotations(table, request.filter.annotations));

    TimelineQuery query;
    query.table = table;
    query.points = request.points;
    query.measure = measureOf(request.measure);
    query.processExitFreesHeap = request.processExitFreesHeap;
    query.filter = std::move(filter);
    query.allocatorFrames = analysis::AllocatorFrames::builtIn(); // as in table
    if (!keys.empty()) query.by = keys.front();
    query.annotations = std::move(annotations);
    if (query.annotations->empty() && usesAnnotation(query)) return labelsAreMissing();
    return query;
}

/// The parts of the query that need the trace.
Result<void> complete(TimelineQuery& query, const TimelineRequest& request, const LoadedTrace& trace) {
    const auto whole = trace.rows->wholeRange();
    query.interval = TRY(parseInterval(request.range, whole));
    query.filter = TRY(parseFilters(query.table, request.filter, whole));
    query.marks = TRY(marksOf(*trace.notes, request.filter.marks, whole));
    query.instances.added = TRY(parseInstants(request.snapshots, whole));
    return {};
}

bool isEmpty(const analysis::Timeline& timeline) {
    return std::all_of(timeline.series.begin(), timeline.series.end(), [](const auto& series) {
        return std::all_of(series.peaks.begin(), series.peaks.end(), [](auto peak) { return peak == 0; });
    });
}

using ResidentSeries = analysis::ResidentTimelineQuery::Series;

/// Samples of resident memory have no rows, so that options about rows are refused.
Result<ResidentSeries> parseResidentQuery(const TimelineRequest& request) {
    const auto refused = request.filter.words();
    if (!refused.empty() || !request.filter.annotations.empty() || request.measure != "bytes")
        return Error{ErrorKind::Usage,
                     fmt::format("The table resident has no rows and does not support {}. To select processes, use "
                                 "\"highwater-cli balance TRACE --course --process PROCESS\".",
                                 !refused.empty()             ? refused.front()
                                 : request.measure != "bytes" ? "--measure " + request.measure
                                                              : "--annotate")};
    TRY(parseRange(request.range, {TraceTime{0}, kNever}));
    if (request.by.empty() || equalsIgnoringCase(request.by, "Layer")) return ResidentSeries::Layers;
    if (equalsIgnoringCase(request.by, "Process")) return ResidentSeries::Processes;
    return Error{ErrorKind::Usage, fmt::format("Unknown column \"{}\" to group by in the table resident. Available "
                                               "columns: Layer, Process.",
                                               request.by)};
}

Result<ExitCode> runResidentTimeline(const TimelineRequest& request, const Console& console) {
    const auto series = TRY(parseResidentQuery(request));
    const auto trace = TRY(loadTrace(request.traces));
    const auto& rows = *trace.rows;
    const auto interval = TRY(parseInterval(request.range, rows.wholeRange()));
    const auto clock = TRY(wallClock(request.wallClock, request.format, trace.facts.properties));
    const auto timeline = TRY(analysis::computeResidentTimeline(rows, {interval, request.points, series}));

    const auto health = analysis::healthOf(rows, analysis::Table::Frees); // covers both tables on which layers depend
    if (request.format == "json")
        exports::writeResidentTimelineJson(timeline, health, console.answers);
    else
        exports::writeResidentTimelineCsv(timeline, console.answers, clock);
    if (timeline.series.empty()) console.say(analysis::whyNoSample(rows));
    return printDataLoss(health, request.strict, console);
}

} // namespace

Result<ExitCode> runTimeline(const TimelineRequest& request, const Console& console) {
    if (equalsIgnoringCase(request.table, "resident")) return runResidentTimeline(request, console);
    auto query = TRY(parseQuery(request));
    const auto trace = TRY(loadTrace(request.traces));
    const auto& rows = *trace.rows;
    TRY(complete(query, request, trace));
    const auto clock = TRY(wallClock(request.wallClock, request.format, trace.facts.properties));
    auto names = readsFrames(query) ? loadSymbols(request.symbols, request.traces, trace.rows, console) : nullptr;
    const auto labels = TRY(makeLabels(request.symbols, std::move(names), console));
    const auto timeline = TRY(analysis::computeTimeline(rows, *labels, query));

    const auto health = analysis::healthOf(rows, query.table);
    if (request.format == "json")
        exports::writeTimelineJson(query, timeline, health, console.answers);
    else
        exports::writeTimelineCsv(timeline, console.answers, clock);
    if (isEmpty(timeline)) console.say(analysis::whyEmpty(rows, query.table, query.interval, request.filter.words()));
    if (query.table == analysis::Table::Frees) console.say("Each slice shows the amount released in it.");
    if (query.table == analysis::Table::Managed)
        console.say("Each slice shows the amount allocated in it, freed or not, from samples of about 100 KB each.");
    if (query.table == analysis::Table::Snapshot)
        console.say("Each slice shows the size of its largest snapshot, or 0 if it has none.");
    return printDataLoss(health, request.strict, console);
}

} // namespace highwater::cli
