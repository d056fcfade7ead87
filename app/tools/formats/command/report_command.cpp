#include "app/cli/arguments/mark_arguments.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/options/command_options.h"
#include "app/cli/traces/command.h"
#include "app/tools/formats/command/format_request.h"
#include "app/tools/tools.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/export/explain/shell_query.h"
#include "core/formats/report/report_writer.h"

#include <fmt/format.h>

#include <limits>
#include <memory>

namespace highwater::cli {
namespace {

struct ReportRequest : FormatRequest {
    std::string by = "Process,Stack";
    std::string columns;
    std::string sort;
    std::uint32_t depth = 0;
    std::uint32_t top = 20;
};

/// Parses the parts that do not need the trace.
Result<analysis::Query> parseReport(const ReportRequest& request, analysis::Table table) {
    auto keys = TRY(parseKeys(table, request.by));
    auto columns = TRY(parseValueColumns(table, request.columns));
    auto sort = TRY(parseSort(table, request.sort));
    auto annotations = TRY(parseAnnotations(table, request.filter.annotations));
    analysis::Query query;
    query.table = table;
    query.keys = std::move(keys);
    query.columns = std::move(columns);
    query.sort = std::move(sort);
    query.annotations = std::move(annotations);
    query.processExitFreesHeap = request.processExitFreesHeap;
    query.allocatorFrames = analysis::AllocatorFrames::builtIn(); // as in table
    if (query.keys.empty())
        return Error{ErrorKind::Usage, "Use --by to specify the columns to group by, such as \"Process\"."};
    if (query.annotations->empty() && usesAnnotation(query)) return labelsAreMissing();
    return query;
}

std::optional<Error> wrongReport(const ReportRequest& request) {
    if (auto error = wrongUsage(request)) return error;
    const auto table =
        request.table.empty() ? Result<analysis::Table>(analysis::Table::Heap) : parseTableWord(request.table);
    const auto query = parseReport(request, table.value());
    return query.hasValue() ? std::nullopt : std::optional(query.error());
}

/// The command that writes this report again, with all given options.
exports::CommandLine commandOf(const ReportRequest& request, const FormatQuestion& question) {
    exports::CommandLine words{"highwater-cli", "report"};
    exports::addFiles(words, request.traces);
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty()) exports::addOption(words, option, value);
    };
    add("--table", std::string(analysis::tableWord(question.table)));
    add("--by", request.by);
    add("--columns", request.columns);
    add("--sort", request.sort);
    add("--range", request.range);
    add("--filter", exports::queryFor(exports::ownShell(), question.table, request.filter.query));
    add("--lifetime", request.filter.lifeTime);
    add("--size", request.filter.size);
    for (const auto& mark : request.filter.marks)
        add("--mark", mark);
    for (const auto& label : request.filter.annotations)
        add("--annotate", label);
    add("--symbols", request.symbols.path);
    if (request.symbols.isOff) words.emplace_back("--no-symbols");
    if (request.symbols.trustsImagePaths) words.emplace_back("--trust-image-paths");
    if (request.symbols.skipsTraceFolders) words.emplace_back("--no-ngenpdb");
    if (request.symbols.hasFullNames) words.emplace_back("--full-names");
    if (request.processExitFreesHeap) words.emplace_back("--process-exit-frees-heap");
    add("--top", fmt::format("{}", request.top));
    if (request.depth > 0) add("--depth", fmt::format("{}", request.depth));
    add("--output", isToStdout(request) ? std::string() : exports::fileWord(request.output));
    return words;
}

Result<ExitCode> runReport(const ReportRequest& request, const Console& console) {
    if (const auto error = wrongReport(request)) return *error;
    const auto question = TRY(ask(request, console));
    const auto& trace = question.trace;
    auto query = TRY(parseReport(request, question.table));
    query.interval = question.interval;
    query.filter = question.filter;
    query.marks = TRY(marksOf(*trace.notes, request.filter.marks, trace.rows->wholeRange()));
    formats::ReportFacts facts{question.subject(request),
                               {},
                               formats::programText(),
                               commandOf(request, question),
                               analysis::healthOf(*trace.rows, question.table)};
    if (const auto clock = exports::WallClock::of(trace.facts.properties))
        facts.recordedAt = clock->text(TraceTime{0}) + " " + clock->zone();
    std::size_t rows = 0;
    TRY(writeAnswer(request, console, [&](std::ostream& out, const std::stop_token& stop) -> Result<void> {
        rows = TRY(
            formats::writeReport(trace.rows, question.labels, query, {request.depth, request.top}, facts, out, stop));
        return {};
    }));
    if (!isToStdout(request)) console.say(fmt::format("{} in {}.", counted(rows, "row"), request.output));
    if (rows == 0)
        console.say(analysis::whyEmpty(*trace.rows, question.table, question.interval, request.filter.words()));
    return printDataLoss(facts.health, request.strict, console);
}

} // namespace

Command reportCommand(CLI::App& app) {
    const CLI::Range positive(1u, std::numeric_limits<std::uint32_t>::max());
    auto& command =
        *app.add_subcommand("report", "Write a table with its graph and stacks as a self-contained HTML page");
    const auto request = std::make_shared<ReportRequest>();
    addTraces(command, request->traces);
    command.add_option("--table", request->table,
                       "virtualalloc, heap, frees, snapshot, managed or gcheap (default: heap, or virtualalloc if the "
                       "trace has no heap allocations)");
    command.add_option("--by", request->by,
                       "Columns to group by: \"COL,COL\"; a stack expands frame by frame (default: Process,Stack)");
    command.add_option("--columns", request->columns,
                       "Columns to show: \"COL,COL\", also \"Max(COL)\" and the like (default: Count, Impacting Size, "
                       "Size; for frees and snapshots Count, Size)");
    command.add_option("--sort", request->sort, "Sort order: \"COL[:asc|:desc],...\" (default: Size:desc)");
    command.add_option("--depth", request->depth, "Levels to show; each frame is one level (default: all)")
        ->check(positive);
    command
        .add_option("--top", request->top, "Rows to show per level; the rest are combined into one row (default: 20)")
        ->check(positive);
    addRows(command, *request);
    command.add_option("-o,--output", request->output,
                       "File to write, such as app.html; an existing file is replaced; -: stdout (default: stdout)");
    return {&command, [request](const Console& console) { return runReport(*request, console); }};
}

} // namespace highwater::cli
