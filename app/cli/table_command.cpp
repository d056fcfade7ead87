#include "app/cli/table_command.h"

#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/mark_arguments.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/arguments/snapshot_arguments.h"
#include "app/cli/arguments/table_presets.h"
#include "app/cli/arguments/text_file.h"
#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/trace_symbols.h"
#include "core/analysis/columns/trace_lacks.h"
#include "core/analysis/generations/generations.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/export/table_format.h"
#include "core/export/table_walk.h"

#include <fmt/format.h>

namespace highwater::cli {
namespace {

using analysis::AllocatorFrames, analysis::Query;

/// The request as a query, except for the interval: that needs the trace.
Result<Query> parseQuery(const TableRequest& request) {
    if (request.traces.empty()) return Error{ErrorKind::Usage, "TRACE is required: a trace file (.etl)."};
    if (request.table.empty())
        return Error{ErrorKind::Usage,
                     "--table is required: virtualalloc, heap, frees, snapshot, managed or gcheap; or a --preset of "
                     "one."};
    const auto table = TRY(parseTableWord(request.table));
    auto keys = TRY(parseKeys(table, request.by));
    if (keys.empty())
        return Error{ErrorKind::Usage, "--by names the columns to group by, such as \"Process\"; or take a --preset."};
    auto values = TRY(parseValueColumns(table, request.columns));
    auto sort = TRY(parseSort(table, request.sort));
    auto filter = TRY(parseFilters(table, request.filter, {TraceTime{0}, kNever}));
    TRY(parseRange(request.range, {TraceTime{0}, kNever}));
    TRY(parseMarks(request.filter.marks, {TraceTime{0}, kNever}));
    TRY(parseInstants(request.snapshots, {TraceTime{0}, kNever}));
    auto annotations = TRY(parseAnnotations(table, request.filter.annotations));

    Query query;
    query.table = table;
    query.keys = std::move(keys);
    query.columns = std::move(values);
    query.sort = std::move(sort);
    if (query.table == analysis::Table::Snapshot && query.sort.empty())
        query.sort = {{analysis::Column::Instance, false}, {analysis::Column::Size, true}};
    query.filter = std::move(filter);
    query.processExitFreesHeap = request.processExitFreesHeap;
    query.annotations = std::move(annotations);
    if (query.annotations->empty() && usesAnnotation(query)) return labelsAreMissing();
    return query;
}

/// What needs the trace.
Result<void> complete(Query& query, const TableRequest& request, const LoadedTrace& trace) {
    const auto whole = trace.rows->wholeRange();
    const auto range = TRY(parseInterval(request.range, whole));
    query.interval = range;
    auto filter = TRY(parseFilters(query.table, request.filter, whole));
    query.filter = std::move(filter);
    auto marks = TRY(marksOf(*trace.notes, request.filter.marks, whole));
    query.marks = std::move(marks);
    auto instants = TRY(parseInstants(request.snapshots, whole));
    query.instances.added = std::move(instants);
    return {};
}

Result<std::shared_ptr<const AllocatorFrames>> readAllocatorFrames(const TableRequest& request,
                                                                   const Console& console) {
    if (request.allocatorFramesFile.empty()) return AllocatorFrames::builtIn();
    const auto text = TRY(contentOf(request.allocatorFramesFile));
    auto frames = std::make_shared<const AllocatorFrames>(text);
    for (const auto& line : frames->rejected()) {
        console.say(fmt::format("{}: not a pattern module!function: {}", request.allocatorFramesFile, line));
    }
    return std::shared_ptr<const AllocatorFrames>(std::move(frames));
}

Result<void> writeRows(const TableRequest& request, exports::TableLook look, analysis::GroupedTable& table,
                       const HealthReport& health, std::ostream& out) {
    const auto format = exports::parseTableFormat(request.format).value_or(exports::TableFormat::Text);
    const auto rows = request.leaves ? exports::TableRows::Leaves : exports::TableRows::Tree;
    const auto writer = exports::makeTableWriter(format, rows, table.query(), out, look);
    if (!request.leaves) return exports::writeTree(table, {request.depth, request.top}, health, *writer);
    TRY(exports::writeLeaves(table, health, *writer, {}));
    return {};
}

ExitCode list(const TableRequest& request, const Console& console) {
    const auto done =
        request.listsColumns ? listColumns(request, console.answers) : listPresets(request, console.answers);
    return done.hasValue() ? ExitCode::Done : fail(done.error(), console);
}

} // namespace

ExitCode runTable(const TableRequest& asked, const Console& console) {
    if (asked.listsColumns || asked.listsPresets) return list(asked, console);
    const auto completed = withPreset(asked);
    if (!completed.hasValue()) return fail(completed.error(), console);
    const auto& request = completed.value();
    auto query = parseQuery(request);
    if (!query.hasValue()) return fail(query.error(), console);
    auto frames = readAllocatorFrames(request, console);
    if (!frames.hasValue()) return fail(frames.error(), console);
    query.value().allocatorFrames = std::move(frames).value();

    const auto trace = loadTrace(request.traces);
    if (!trace.hasValue()) return fail(trace.error(), console);
    const auto& rows = trace.value().rows;
    const auto known = complete(query.value(), request, trace.value());
    if (!known.hasValue()) return fail(known.error(), console);
    const auto clock = wallClock(request.wallClock, request.format, trace.value().facts.properties);
    if (!clock.hasValue()) return fail(clock.error(), console);
    const auto units = exports::parseUnits(request.units).value_or(exports::Units::Thousands);
    auto names = readsFrames(query.value()) ? loadSymbols(request.symbols, request.traces, rows, console) : nullptr;
    const auto labels = makeLabels(request.symbols, std::move(names), console);
    if (!labels.hasValue()) return fail(labels.error(), console);
    const auto table = analysis::GroupedTable::compute(rows, labels.value(), query.value());
    if (!table.hasValue()) return fail(table.error(), console);
    const auto health = analysis::healthOf(*rows, query.value().table);
    const auto written = writeRows(request, {units, clock.value()}, *table.value(), health, console.answers);
    if (!written.hasValue()) return fail(written.error(), console);
    if (table.value()->children(analysis::GroupedTable::kRoot).empty())
        console.say(analysis::whyEmpty(*rows, query.value().table, query.value().interval, request.filter.words()));
    for (const auto& sentence :
         analysis::emptyColumns(query.value().table, query.value().keys, query.value().columns, rows->lacks))
        console.say(sentence);
    if (query.value().marks->empty() && asksForMarks(query.value()))
        console.say(fmt::format("The trace has no marks. {}", analysis::kHowMarksAreMade));
    return sayWhatIsMissing(health, request.strict, console);
}

} // namespace highwater::cli
