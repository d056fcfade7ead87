#include "app/cli/flames_command.h"

#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/trace_symbols.h"
#include "core/analysis/flames/flames.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/base/text.h"
#include "core/export/flames_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace highwater::cli {
namespace {

using analysis::Column;
using analysis::FlameQuery;

constexpr TimeRange kAnyTime{TraceTime{0}, kNever};

Result<Column> measureOf(analysis::Table table, const std::string& word) {
    const auto known = analysis::flameMeasuresOf(table);
    if (word.empty()) return known.front();
    const auto column = analysis::parseColumn(table, word);
    if (column && std::find(known.begin(), known.end(), *column) != known.end()) return *column;
    std::vector<std::string_view> names;
    for (const auto measure : known)
        names.push_back(analysis::columnName(table, measure));
    return Error{ErrorKind::Usage, fmt::format("--measure of {} is one of {}, not \"{}\".", analysis::tableWord(table),
                                               fmt::join(names, ", "), word)};
}

/// A stack stands behind what was named, unless one is among it.
Result<std::vector<Column>> keysOf(analysis::Table table, const FlamesRequest& request) {
    auto keys = parseKeys(table, request.by.empty() ? "Process" : request.by);
    if (!keys.hasValue()) return keys;
    auto columns = std::move(keys).value();
    if (std::none_of(columns.begin(), columns.end(), analysis::isStack))
        columns.push_back(request.bottomUp ? Column::StackBottomUp : Column::Stack);
    return columns;
}

/// All but the intervals, which need the trace.
Result<FlameQuery> parseQuery(const FlamesRequest& request, analysis::Table table) {
    auto keys = keysOf(table, request);
    if (!keys.hasValue()) return keys.error();
    const auto measure = measureOf(table, request.measure);
    if (!measure.hasValue()) return measure.error();
    auto filter = parsePlainFilters(table, request.filter, kAnyTime);
    if (!filter.hasValue()) return filter.error();
    for (const auto& range : {request.range, request.before}) {
        if (const auto parsed = parseRange(range, kAnyTime); !parsed.hasValue()) return parsed.error();
    }
    FlameQuery query;
    query.table = table;
    query.keys = std::move(keys).value();
    query.measure = measure.value();
    query.filter = std::move(filter).value();
    query.processExitFreesHeap = request.processExitFreesHeap;
    query.allocatorFrames = analysis::AllocatorFrames::builtIn(); // as in tables
    if (request.format == "folded") query.mostFrames = 0;
    return query;
}

/// What is wrong with the words before the trace is read: of the table that is asked for, else of any that may be.
std::optional<Error> wrongUsage(const FlamesRequest& request) {
    auto table = analysis::Table::Heap;
    if (!request.table.empty()) {
        const auto parsed = parseTableWord(request.table);
        if (!parsed.hasValue()) return parsed.error();
        table = parsed.value();
    }
    const auto query = parseQuery(request, table);
    return query.hasValue() ? std::nullopt : std::optional(query.error());
}

/// The table that was asked for; else the one with rows: programs that have no blocks of heaps keep pages.
analysis::Table tableOf(const FlamesRequest& request, const store::PublishedTrace& rows) {
    if (!request.table.empty()) return parseTableWord(request.table).value();
    return rows.heap.rows == 0 && rows.virtualAlloc.rows > 0 ? analysis::Table::VirtualAlloc : analysis::Table::Heap;
}

Result<FlameQuery> questionOf(const FlamesRequest& request, const store::PublishedTrace& rows) {
    auto query = parseQuery(request, tableOf(request, rows));
    if (!query.hasValue()) return query;
    const auto range = parseInterval(request.range, rows.wholeRange());
    if (!range.hasValue()) return range.error();
    query.value().interval = range.value();
    if (!request.before.empty()) {
        const auto before = parseInterval(request.before, rows.wholeRange());
        if (!before.hasValue()) return before.error();
        query.value().before = before.value();
    }
    auto filter = parsePlainFilters(query.value().table, request.filter, rows.wholeRange());
    if (!filter.hasValue()) return filter.error();
    query.value().filter = std::move(filter).value();
    return query;
}

void write(const FlamesRequest& request, const FlameQuery& query, const analysis::FlameTree& tree,
           const Console& console) {
    auto sentences = exports::flameSentences(tree, query.table, query.measure);
    if (request.format == "folded") {
        exports::writeFlamesFolded(tree, console.answers);
        for (std::size_t i = 1; i < sentences.size(); ++i)
            console.say(sentences[i]);
        return;
    }
    exports::FlameDrawing drawing;
    drawing.titles.push_back(fmt::format("{}, {} s to {} s{}", analysis::tableTitle(query.table),
                                         secondsText(query.interval.start), secondsText(query.interval.end),
                                         request.filter.query.empty() ? "" : ", " + request.filter.query));
    drawing.titles.insert(drawing.titles.end(), sentences.begin(), sentences.end());
    drawing.table = query.table;
    drawing.measure = query.measure;
    drawing.root = request.bottomUp ? exports::FlameDrawing::Root::Top : exports::FlameDrawing::Root::Bottom;
    exports::writeFlamesSvg(tree, drawing, console.answers);
}

} // namespace

ExitCode runFlames(const FlamesRequest& request, const Console& console) {
    if (const auto error = wrongUsage(request)) return fail(*error, console);
    const auto trace = loadTrace(request.traces);
    if (!trace.hasValue()) return fail(trace.error(), console);
    const auto& rows = *trace.value().rows;
    const auto asked = questionOf(request, rows);
    if (!asked.hasValue()) return fail(asked.error(), console);
    const auto& query = asked.value();
    const auto labels =
        makeLabels(request.symbols, loadSymbols(request.symbols, request.traces, trace.value().rows, console));
    const auto tree = analysis::computeFlames(rows, *labels, query);
    if (!tree.hasValue()) return fail(tree.error(), console);
    write(request, query, tree.value(), console);
    if (tree.value().isEmpty() && tree.value().notDrawn == 0)
        console.say(analysis::whyEmpty(rows, query.table, query.interval, !request.filter.isEmpty()));
    return sayWhatIsMissing(analysis::healthOf(rows, query.table), request.strict, console);
}

} // namespace highwater::cli
