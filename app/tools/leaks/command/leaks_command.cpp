#include "app/cli/options/command_options.h"
#include "app/cli/traces/command.h"
#include "app/tools/tools.h"

#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/trace_symbols.h"
#include "app/tools/leaks/command/leak_question.h"
#include "core/analysis/leaks/freed_on_exit.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/base/text.h"
#include "core/export/leaks_writer.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace highwater::cli {
namespace {

void write(const LeaksRequest& request, const analysis::LeakQuery& query, const analysis::LeakReport& report,
           const HealthReport& health, std::ostream& out) {
    if (request.format == "json")
        exports::writeLeaksJson(query, report, health, out);
    else if (request.format == "csv")
        exports::writeLeaksCsv(report, out);
    else
        exports::writeLeaksText(query, report, out);
}

std::string freedText(const analysis::FreedOnExit& freed) {
    const auto start = freed.range.start == TraceTime{0} ? "" : fmt::format("{:.6g}", freed.range.start.seconds());
    return fmt::format("Most of the memory was freed as {} exited, and is not listed. To see the stacks that kept {} "
                       "shortly before, add --range {}:{:.6g}.",
                       freed.process, bytesText(freed.bytes), start, freed.range.end.seconds());
}

Result<ExitCode> runLeaks(const LeaksRequest& request, const Console& console) {
    if (const auto error = wrongUsage(request, "leaks")) return *error;
    const auto trace = TRY(loadTrace(request.traces));
    const auto& rows = *trace.rows;
    const auto query = TRY(leakQuestion(request, trace, console));

    const auto labels =
        TRY(makeLabels(request.symbols, loadSymbols(request.symbols, request.traces, trace.rows, console), console));
    const auto report = analysis::findLeaks(rows, *labels, query);
    if (!report.hasValue()) return withNextCommand(report.error(), request, rows);
    const auto health = analysis::healthOf(rows, query.table);
    write(request, query, report.value(), health, console.answers);
    if (const auto freed = analysis::freedOnExit(trace.rows, labels, query)) {
        console.say(freedText(*freed));
    } else if (report.value().suspects.empty() && report.value().suppressed.stacks == 0) {
        const auto& table = query.table == analysis::Table::Heap ? rows.heap : rows.virtualAlloc;
        console.say(table.rows == 0 ? analysis::whyEmpty(rows, query.table, query.interval, request.filter.words())
                                    : "No memory that was allocated in the interval is kept at its end. To see memory "
                                      "that a program frees on exit, choose an interval that ends earlier.");
    }
    return printDataLoss(health, request.strict, console);
}

} // namespace

Command leaksCommand(CLI::App& app) {
    auto& command =
        *app.add_subcommand("leaks", "List the stacks that keep memory, most suspicious first, with reasons");
    const auto request = std::make_shared<LeaksRequest>();
    addTraces(command, request->traces);
    addTableOfAllocations(command, request->table);
    addRange(command, request->range);
    addFilters(command, request->filter);
    command.add_option("--top", request->top, "Number of suspects to list (default: 10)")->check(CLI::Range(1u, 512u));
    addSymbols(command, request->symbols);
    addSuppressions(command, request->suppressions);
    addOwners(command, *request);
    addStrict(command, request->strict);
    command.add_option("--format", request->format, "text, csv or json (default: text)")
        ->check(CLI::IsMember({"text", "csv", "json"}));
    return {&command, [request](const Console& console) { return runLeaks(*request, console); }};
}

} // namespace highwater::cli
