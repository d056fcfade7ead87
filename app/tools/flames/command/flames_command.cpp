#include "app/cli/options/command_options.h"
#include "app/cli/traces/command.h"
#include "app/tools/tools.h"

#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/trace_symbols.h"
#include "app/tools/difference/command/rename_arguments.h"
#include "app/tools/difference/command/rename_messages.h"
#include "core/analysis/difference/difference.h"
#include "core/analysis/difference/difference_sentences.h"
#include "core/analysis/flames/flames.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/base/text.h"
#include "core/export/flames_writer.h"
#include "core/formats/speedscope/speedscope_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

namespace highwater::cli {
namespace {

using analysis::Column, analysis::DifferenceQuery, analysis::FlameQuery, analysis::Table;

constexpr TimeRange kAnyTime{TraceTime{0}, kNever};

Result<Column> measureOf(analysis::Table table, const std::string& word) {
    const auto known = analysis::flameMeasuresOf(table);
    if (word.empty()) return known.front();
    const auto column = analysis::parseColumn(table, word);
    if (column && std::find(known.begin(), known.end(), *column) != known.end()) return *column;
    std::vector<std::string_view> names;
    for (const auto measure : known)
        names.push_back(analysis::columnName(table, measure));
    return Error{ErrorKind::Usage, fmt::format("--measure for {} must be one of {}, not \"{}\".",
                                               analysis::tableWord(table), fmt::join(names, ", "), word)};
}

/// Appends a stack to the given columns unless they contain one.
Result<std::vector<Column>> keysOf(analysis::Table table, const FlamesRequest& request) {
    auto columns = TRY(parseKeys(table, request.by.empty() ? "Process" : request.by));
    if (request.filter.annotations.empty() &&
        std::find(columns.begin(), columns.end(), Column::Annotation) != columns.end())
        return labelsAreMissing();
    if (std::none_of(columns.begin(), columns.end(), analysis::isStack))
        columns.push_back(request.bottomUp ? Column::StackBottomUp : Column::Stack);
    return columns;
}

/// Columns with a value per row would produce a frame per row. The graph silently omits such columns, which would go
/// unnoticed here.
Result<void> refuseSingleRows(analysis::Table table, const std::vector<Column>& keys) {
    const auto single = std::find_if(keys.begin(), keys.end(), analysis::isOfSingleRows);
    if (single == keys.end()) return {};
    std::vector<std::string_view> offered;
    for (const auto column : analysis::columnsOf(table)) {
        if (!analysis::isAggregate(column) && !analysis::isOfSingleRows(column))
            offered.push_back(analysis::columnName(table, column));
    }
    const bool isOfMarks = *single == Column::Generation || *single == Column::SurvivedMarks;
    return Error{
        ErrorKind::Usage,
        fmt::format("Frames cannot be grouped by \"{}\", because its values differ from row to row. Use {} instead. {}",
                    analysis::columnName(table, *single), fmt::join(offered, ", "),
                    isOfMarks ? "To show growth from mark to mark, use highwater-cli generations."
                              : "To group by that column, use highwater-cli table.")};
}

/// Other formats have room for all frames.
bool isDrawn(const FlamesRequest& request) { return request.format == "svg"; }

/// Parses everything except the intervals, which need the trace.
Result<FlameQuery> parseQuery(const FlamesRequest& request, analysis::Table table) {
    auto keys = TRY(keysOf(table, request));
    TRY(refuseSingleRows(table, keys));
    const auto measure = TRY(measureOf(table, request.measure));
    auto filter = TRY(parseLabelledFilters(table, request.filter, kAnyTime));
    for (const auto& range : {request.range, request.before}) {
        TRY(parseRange(range, kAnyTime));
    }
    FlameQuery query;
    query.table = table;
    query.keys = std::move(keys);
    query.measure = measure;
    query.filter = std::move(filter);
    query.processExitFreesHeap = request.processExitFreesHeap;
    query.allocatorFrames = analysis::AllocatorFrames::builtIn(); // as in table
    if (!isDrawn(request)) query.mostFrames = 0;
    return query;
}

/// Validates the arguments before the trace is read, for the given table or else for any table that may be used.
std::optional<Error> wrongUsage(const FlamesRequest& request) {
    auto table = analysis::Table::Heap;
    if (!request.table.empty()) {
        table = TRY(parseTableWord(request.table));
    }
    const auto query = parseQuery(request, table);
    return query.hasValue() ? std::nullopt : std::optional(query.error());
}

/// The given table, or the one with rows: programs without heap blocks still have pages.
analysis::Table tableOf(const FlamesRequest& request, const store::PublishedTrace& rows) {
    if (!request.table.empty()) return parseTableWord(request.table).value();
    return rows.heap.rows == 0 && rows.virtualAlloc.rows > 0 ? analysis::Table::VirtualAlloc : analysis::Table::Heap;
}

Result<FlameQuery> questionOf(const FlamesRequest& request, const LoadedTrace& trace) {
    const auto& rows = *trace.rows;
    auto query = TRY(parseQuery(request, tableOf(request, rows)));
    query.interval = TRY(parseInterval(request.range, rows.wholeRange()));
    if (!request.before.empty()) {
        query.before = TRY(parseInterval(request.before, rows.wholeRange()));
    }
    query.filter = TRY(parseLabelledFilters(query.table, request.filter, rows.wholeRange(), trace.notes.get()));
    return query;
}

/// `subject`: a one-line description.
void write(const FlamesRequest& request, const std::string& subject, const analysis::FlameTree& tree, Column measure,
           const Console& console) {
    auto sentences = exports::flameSentences(tree, measure);
    const auto title = subject + (request.filter.query.empty() ? "" : ", " + request.filter.query);
    if (!isDrawn(request)) {
        if (request.format == "speedscope")
            formats::writeSpeedscope(tree, measure, title, console.answers);
        else
            exports::writeFlamesFolded(tree, console.answers);
        for (std::size_t i = 1; i < sentences.size(); ++i)
            console.say(sentences[i]);
        return;
    }
    exports::FlameDrawing drawing;
    drawing.titles.push_back(title);
    drawing.titles.insert(drawing.titles.end(), sentences.begin(), sentences.end());
    drawing.measure = measure;
    drawing.root = request.bottomUp ? exports::FlameDrawing::Root::Top : exports::FlameDrawing::Root::Bottom;
    exports::writeFlamesSvg(tree, drawing, console.answers);
}

/// Parses a comparison except for its traces, for a table.
Result<DifferenceQuery> parseComparison(const FlamesRequest& request, Table table) {
    DifferenceQuery query;
    query.table = table;
    query.keys = TRY(keysOf(table, request));
    if (!request.measure.empty()) {
        const auto measure = analysis::parseMeasure(request.measure);
        if (!measure)
            return Error{ErrorKind::Usage, fmt::format("--measure for two traces must be Outstanding, Count, Size, "
                                                       "Impacting Size, Peak Size or Allocated, not \"{}\".",
                                                       request.measure)};
        query.decides = *measure;
    }
    TRY(parseLabelledFilters(table, request.filter, kAnyTime));
    for (const auto& range : {request.range, request.withRange}) {
        TRY(parseRange(range, kAnyTime));
    }
    query.renames = TRY(readRenames(request.renames));
    query.processExitFreesHeap = request.processExitFreesHeap;
    query.allocatorFrames = analysis::AllocatorFrames::builtIn(); // as in table
    return query;
}

/// The files of one side of a comparison, which form one trace.
struct FilesOfSide {
    const std::vector<std::string>& names;
    const std::string& range;
    const LoadedTrace& trace;
};

Result<analysis::ComparedTrace> sideOf(const FlamesRequest& request, Table table, const FilesOfSide& files,
                                       const Console& console) {
    const auto whole = files.trace.rows->wholeRange();
    const auto interval = TRY(parseInterval(files.range, whole));
    auto filter = TRY(parseLabelledFilters(table, request.filter, whole, files.trace.notes.get()));
    auto names = loadSymbols(request.symbols, files.names, files.trace.rows, console);
    auto labels = TRY(makeLabels(request.symbols, std::move(names), console));
    return analysis::ComparedTrace{files.trace.rows, std::move(labels), interval, std::move(filter)};
}

/// Both sides, loaded from `before` and `after`.
Result<void> addSides(const FlamesRequest& request, const LoadedTrace& before, const LoadedTrace& after,
                      const Console& console, DifferenceQuery& query) {
    auto first = TRY(sideOf(request, query.table, {request.traces, request.range, before}, console));
    query.before.push_back(std::move(first));
    const auto& range = request.withRange.empty() ? request.range : request.withRange;
    auto second = TRY(sideOf(request, query.table, {request.with, range, after}, console));
    query.after.push_back(std::move(second));
    return {};
}

std::string subjectOf(const FlamesRequest& request, const DifferenceQuery& query) {
    const auto side = [](const std::vector<std::string>& files, const analysis::ComparedTrace& compared) {
        return fmt::format("{}, {} s to {} s", files.front(), secondsText(compared.interval.start),
                           secondsText(compared.interval.end));
    };
    return fmt::format("{}; before: {}; after: {}", analysis::tableTitle(query.table),
                       side(request.traces, query.before.front()), side(request.with, query.after.front()));
}

/// Compares two traces by names.
Result<ExitCode> runFlamesOfTwo(const FlamesRequest& request, const Console& console) {
    const auto named = TRY(request.table.empty() ? Result<Table>(Table::Heap) : parseTableWord(request.table));
    TRY(parseComparison(request, named));
    const auto before = TRY(loadTrace(request.traces));
    const auto after = TRY(loadTrace(request.with));
    const bool hasHeap = before.rows->heap.rows > 0 || after.rows->heap.rows > 0;
    auto asked = TRY(parseComparison(request, request.table.empty() && !hasHeap ? Table::VirtualAlloc : named));
    TRY(addSides(request, before, after, console, asked));
    const auto difference = TRY(analysis::Difference::compute(asked));
    const auto tree = TRY(difference->flames(isDrawn(request) ? FlameQuery::kMostFrames : 0));
    const auto unit = asked.decides == analysis::Measure::Count ? Column::Count : Column::Size;
    write(request, subjectOf(request, asked), tree, unit, console);
    if (tree.isEmpty()) console.say("No rows of this table have a value for this measure on either side.");
    printRenames(*difference, console);
    for (const auto& note : analysis::notesOf(*difference))
        console.say(note.sentence);
    const auto healthBefore = printDataLoss(analysis::healthOf(*before.rows, asked.table), request.strict, console);
    const auto healthAfter = printDataLoss(analysis::healthOf(*after.rows, asked.table), request.strict, console);
    return healthBefore == ExitCode::Done ? healthAfter : healthBefore;
}

Result<ExitCode> runFlames(const FlamesRequest& request, const Console& console) {
    if (!request.with.empty()) return runFlamesOfTwo(request, console);
    if (!request.renames.file.empty() || !request.renames.lines.empty())
        return Error{ErrorKind::Usage,
                     "--renames and --rename compare two traces. Specify the other trace with --with."};
    if (const auto error = wrongUsage(request)) return *error;
    const auto trace = TRY(loadTrace(request.traces));
    const auto& rows = *trace.rows;
    const auto query = TRY(questionOf(request, trace));
    const auto labels =
        TRY(makeLabels(request.symbols, loadSymbols(request.symbols, request.traces, trace.rows, console), console));
    const auto tree = TRY(analysis::computeFlames(rows, *labels, query));
    const auto subject = fmt::format("{}, {} s to {} s", analysis::tableTitle(query.table),
                                     secondsText(query.interval.start), secondsText(query.interval.end));
    write(request, subject, tree, query.measure, console);
    if (tree.isEmpty() && tree.notDrawn == 0)
        console.say(analysis::whyEmpty(rows, query.table, query.interval, request.filter.words()));
    return printDataLoss(analysis::healthOf(rows, query.table), request.strict, console);
}

} // namespace

Command flamesCommand(CLI::App& app) {
    auto& command =
        *app.add_subcommand("flames", "Write a table as a flame graph: a drawing, or lines for other tools");
    const auto request = std::make_shared<FlamesRequest>();
    addTraces(command, request->traces);
    command.add_option("--table", request->table,
                       "virtualalloc, heap, frees, snapshot or managed (default: heap, or virtualalloc if the trace "
                       "has no heap allocations)");
    command.add_option(
        "--by", request->by,
        "\"COL,COL\": columns to group frames by, followed by a stack unless one is named (default: Process)");
    addRange(command, request->range);
    auto* before = command.add_option(
        "--before", request->before,
        "START:END in seconds: the interval to compare with; growth is red, shrinkage blue (default: none)");
    auto* with = command.add_option("--with", request->with,
                                    "Trace files (.etl) of a later recording to compare with by names, as in diff; "
                                    "growth is red, shrinkage blue (default: none)");
    with->excludes(before);
    command
        .add_option("--with-range", request->withRange,
                    "START:END in seconds for the later recording (default: as --range)")
        ->needs(with);
    addRenames(command, request->renames);
    addFilters(command, request->filter);
    command.add_option("--measure", request->measure,
                       "Measure that sets the width of frames: Impacting Size, Size, Count, Peak Size, Allocated or "
                       "Freed; for frees Size or Count; with --with also Outstanding, but not Freed (default: "
                       "Impacting Size, for frees Size, with --with Outstanding)");
    command.add_flag("--bottom-up", request->bottomUp,
                     "Draw from the top down: the allocating function first, its callers below it");
    addSymbols(command, request->symbols);
    addProcessExit(command, request->processExitFreesHeap);
    addStrict(command, request->strict);
    command
        .add_option("--format", request->format,
                    "folded (lines \"outer;inner BYTES\"), svg, or speedscope (JSON) (default: folded)")
        ->check(CLI::IsMember({"folded", "svg", "speedscope"}));
    return {&command, [request](const Console& console) { return runFlames(*request, console); }};
}

} // namespace highwater::cli
