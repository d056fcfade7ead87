#include "app/cli/table_command.h"

#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/mark_arguments.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/arguments/snapshot_arguments.h"
#include "app/cli/arguments/table_presets.h"
#include "app/cli/arguments/text_file.h"
#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/trace_symbols.h"
#include "core/analysis/balance/balance.h"
#include "core/analysis/columns/column_specs.h"
#include "core/analysis/columns/trace_lacks.h"
#include "core/analysis/generations/generations.h"
#include "core/analysis/pictures/picture_rows.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/export/table_format.h"
#include "core/export/table_walk.h"

#include <fmt/format.h>

#include <algorithm>

namespace highwater::cli {
namespace {

using analysis::AllocatorFrames, analysis::Query;

bool asksFor(const Query& query, analysis::ColumnNeed need) {
    const auto isOfThese = [&](analysis::Column column) {
        return analysis::hasColumn(query.table, column) && analysis::specOf(column).need == need;
    };
    return std::ranges::any_of(query.keys, isOfThese) ||
           std::ranges::any_of(query.columns, isOfThese, &analysis::ValueColumn::column) ||
           std::ranges::any_of(query.sort, isOfThese, &analysis::SortKey::column);
}

/// Converts the request to a query without the interval, which needs the trace.
Result<Query> parseQuery(const TableRequest& request) {
    if (request.traces.empty()) return Error{ErrorKind::Usage, "TRACE is required: a trace file (.etl)."};
    if (request.table.empty())
        return Error{ErrorKind::Usage, "--table is required (virtualalloc, heap, frees, snapshot, managed or gcheap), "
                                       "or a --preset of one of them."};
    const auto table = TRY(parseTableWord(request.table));
    auto keys = TRY(parseKeys(table, request.by));
    if (keys.empty())
        return Error{ErrorKind::Usage,
                     "Use --by to specify the columns to group by, such as \"Process\", or use a --preset."};
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

/// The parts of the query that need the trace.
Result<void> complete(Query& query, const TableRequest& request, const LoadedTrace& trace) {
    const auto whole = trace.rows->wholeRange();
    query.interval = TRY(parseInterval(request.range, whole));
    query.filter = TRY(parseFilters(query.table, request.filter, whole));
    query.marks = TRY(marksOf(*trace.notes, request.filter.marks, whole));
    query.instances.added = TRY(parseInstants(request.snapshots, whole));
    return {};
}

Result<std::shared_ptr<const AllocatorFrames>> readAllocatorFrames(const TableRequest& request,
                                                                   const Console& console) {
    if (request.allocatorFramesFile.empty()) return AllocatorFrames::builtIn();
    const auto text = TRY(contentOf(request.allocatorFramesFile));
    auto frames = std::make_shared<const AllocatorFrames>(text);
    for (const auto& line : frames->rejected()) {
        console.say(fmt::format("{}: not a module!function pattern: {}", request.allocatorFramesFile, line));
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

Result<ExitCode> list(const TableRequest& request, const Console& console) {
    TRY(request.listsColumns ? listColumns(request, console.answers) : listPresets(request, console.answers));
    return ExitCode::Done;
}

} // namespace

Result<ExitCode> runTable(const TableRequest& asked, const Console& console) {
    if (asked.listsColumns || asked.listsPresets) return list(asked, console);
    const auto request = TRY(withPreset(asked));
    auto query = TRY(parseQuery(request));
    query.allocatorFrames = TRY(readAllocatorFrames(request, console));

    const auto trace = TRY(loadTrace(request.traces));
    const auto& rows = trace.rows;
    TRY(complete(query, request, trace));
    const auto clock = TRY(wallClock(request.wallClock, request.format, trace.facts.properties));
    const auto units = exports::parseUnits(request.units).value_or(exports::Units::Thousands);
    auto names = readsFrames(query) ? loadSymbols(request.symbols, request.traces, rows, console) : nullptr;
    const auto labels = TRY(makeLabels(request.symbols, std::move(names), console));
    const auto table = TRY(analysis::GroupedTable::compute(rows, labels, query));
    const auto health = analysis::healthOf(*rows, query.table);
    TRY(writeRows(request, {units, clock}, *table, health, console.answers));
    if (table->children(analysis::GroupedTable::kRoot).empty())
        console.say(analysis::whyEmpty(*rows, query.table, query.interval, request.filter.words()));
    for (const auto& sentence : analysis::emptyColumns(query.table, query.keys, query.columns, rows->lacks))
        console.say(sentence);
    if (asksFor(query, analysis::ColumnNeed::Samples))
        console.say(analysis::sampleNote(*rows, query.table, query.interval, table->rowsOnUnknownPages()));
    if (asksFor(query, analysis::ColumnNeed::Pictures)) {
        if (const auto note = analysis::pictureNote(*rows, query.interval); !note.empty()) console.say(note);
    }
    if (query.marks->empty() && asksForMarks(query))
        console.say(fmt::format("The trace has no marks. {}", analysis::kHowMarksAreMade));
    return printDataLoss(health, request.strict, console);
}

} // namespace highwater::cli
