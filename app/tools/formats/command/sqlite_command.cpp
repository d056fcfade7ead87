#include "app/cli/options/command_options.h"
#include "app/cli/traces/command.h"
#include "app/tools/formats/command/format_request.h"
#include "app/tools/formats/command/stop_by_signal.h"
#include "app/tools/tools.h"
#include "core/analysis/table/nothing_found.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/files/whole_file.h"
#include "core/formats/sqlite/sqlite_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

namespace highwater::cli {
namespace {

using analysis::Table;

std::optional<Error> wrongSqlite(const FormatRequest& request) {
    if (auto error = wrongUsage(request)) return error;
    if (request.output == "-")
        return Error{ErrorKind::Usage, "A database cannot be written to stdout because it is not written sequentially. "
                                       "Specify a file with --output."};
    if (request.table.empty() && !request.filter.isEmpty())
        return Error{ErrorKind::Usage, "A filter applies to one table. Specify it with --table."};
    if (request.table == "frees" || request.table == "snapshot")
        return Error{ErrorKind::Usage, fmt::format("The rows of {} are part of heap and virtualalloc. See the columns "
                                                   "free_type and end_ns of these tables.",
                                                   request.table)};
    return std::nullopt;
}

formats::SqliteFacts factsOf(const FormatRequest& request, const FormatQuestion& question) {
    const auto& properties = question.trace.facts.properties;
    formats::SqliteFacts facts;
    facts.meta = {{"program", formats::programText()},
                  {"traces", fmt::format("{}", fmt::join(request.traces, "\n"))},
                  {"interval_start_ns", fmt::format("{}", question.interval.start.ns)},
                  {"interval_end_ns", fmt::format("{}", question.interval.end.ns)},
                  {"filter", fmt::format("{}", fmt::join(request.filter.words(), " "))},
                  {"process_exit_frees_heap", request.processExitFreesHeap ? "1" : "0"},
                  {"pointer_bytes", fmt::format("{}", properties.pointerBytes)}};
    if (const auto start = formats::unixNanosOf(properties, TraceTime{0}))
        facts.meta.emplace_back("start_unix_ns", fmt::format("{}", *start));
    facts.health = question.trace.rows->health;
    facts.marks = question.trace.notes->marks;
    return facts;
}

Result<ExitCode> runSqlite(const FormatRequest& request, const Console& console) {
    if (const auto error = wrongSqlite(request)) return *error;
    const auto question = TRY(ask(request, console));
    formats::SqliteQuery query{std::nullopt, question.interval, question.filter, request.processExitFreesHeap};
    if (!request.table.empty()) query.table = question.table;
    std::size_t rows = 0;
    const StopBySignal signals;
    TRY(makeWholeFile(request.output, [&](const std::filesystem::path& part) -> Result<void> {
        rows = TRY(formats::writeSqlite(*question.trace.rows, *question.labels, query, factsOf(request, question), part,
                                        signals.token()));
        return {};
    }));
    console.say(fmt::format("{} in {}.", counted(rows, "row"), request.output));
    const auto& processes = question.trace.rows->processes->processes();
    const auto note = formats::commandLinesNote(static_cast<std::size_t>(
        std::ranges::count_if(processes, [](const auto& process) { return !process.commandLine.empty(); })));
    if (!note.empty()) console.say(note);
    if (rows == 0 && query.table)
        console.say(analysis::whyEmpty(*question.trace.rows, *query.table, query.interval, request.filter.words()));
    return printDataLoss(question.trace.rows->health, request.strict, console);
}

} // namespace

Command sqliteCommand(CLI::App& app) {
    auto& command = *app.add_subcommand("sqlite", "Write the individual rows of tables to an SQLite database");
    const auto request = std::make_shared<FormatRequest>();
    addTraces(command, request->traces);
    command.add_option("--table", request->table, "virtualalloc, heap, managed or gcheap (default: all of them)");
    addRows(command, *request);
    command
        .add_option("-o,--output", request->output, "File to write, such as app.sqlite; an existing file is replaced")
        ->required();
    return {&command, [request](const Console& console) { return runSqlite(*request, console); }};
}

} // namespace highwater::cli
