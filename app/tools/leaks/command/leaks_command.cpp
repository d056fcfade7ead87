#include "app/cli/options/command_options.h"
#include "app/cli/traces/command.h"
#include "app/tools/tools.h"

#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/trace_symbols.h"
#include "app/tools/leaks/command/leak_question.h"
#include "core/analysis/leaks/freed_on_exit.h"
#include "core/analysis/leaks/leak_sentence.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/base/text.h"
#include "core/export/leaks_writer.h"
#include "core/export/shell_words.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

namespace highwater::cli {
namespace {

exports::CommandLine holdersCommand(const LeaksRequest& request) {
    exports::CommandLine words{"highwater-cli", "holders"};
    exports::addFiles(words, request.traces);
    if (!request.range.empty()) exports::addOption(words, "--range", request.range);
    const auto symbols = wordsOf(request.symbols);
    words.insert(words.end(), symbols.begin(), symbols.end());
    return words;
}

void write(const LeaksRequest& request, const analysis::LeakReport& report, const HealthReport& health,
           std::ostream& out) {
    if (request.format == "json")
        exports::writeLeaksJson(report, holdersCommand(request), health, out);
    else if (request.format == "csv")
        exports::writeLeaksCsv(report, out);
    else
        exports::writeLeaksText(report, holdersCommand(request), out);
}

std::string rangeBeforeExit(const analysis::FreedOnExit& freed) {
    const auto start = freed.range.start == TraceTime{0} ? "" : fmt::format("{:.6g}", freed.range.start.seconds());
    return fmt::format("{} To see the stacks that kept {} shortly before, add --range {}:{:.6g}.",
                       analysis::freedText(freed), bytesText(freed.bytes), start, freed.range.end.seconds());
}

/// After an answer without suspects.
std::string whyNothing(const LeaksRequest& request, const store::PublishedTrace& rows,
                       const analysis::LeakReport& report) {
    const auto searched = report.tables.front().table; // if there are two tables, both have rows
    const auto& table = searched == analysis::Table::Heap ? rows.heap : rows.virtualAlloc;
    if (table.rows == 0) return analysis::whyEmpty(rows, searched, report.interval, request.filter.words());
    return "No memory that was allocated in the interval is kept at its end. To see memory that a program frees on "
           "exit, choose an interval that ends earlier.";
}

Result<ExitCode> runLeaks(const LeaksRequest& request, const Console& console) {
    if (const auto error = wrongUsage(request, "leaks")) return *error;
    const auto trace = TRY(loadTrace(request.traces));
    const auto& rows = *trace.rows;
    const auto query = TRY(leakQuestion(request, trace, console));

    const auto labels =
        TRY(makeLabels(request.symbols, loadSymbols(request.symbols, request.traces, trace.rows, console), console));
    const auto answer = analysis::findLeaksAndExit(trace.rows, labels, query);
    if (!answer.hasValue()) return withNextCommand(answer.error(), request, rows);
    const auto& report = answer.value();
    const auto health = analysis::healthOf(rows, analysis::tablesIn(report.tables));
    write(request, report, health, console.answers);
    if (report.freedOnExit)
        console.say(rangeBeforeExit(*report.freedOnExit));
    else if (report.suspects.empty() && report.suppressed.stacks == 0 && report.untraced.empty())
        console.say(whyNothing(request, rows, report));
    return printDataLoss(health, request.strict, console);
}

} // namespace

Command leaksCommand(CLI::App& app) {
    auto& command =
        *app.add_subcommand("leaks", "List the stacks that keep memory, most suspicious first, with reasons");
    const auto request = std::make_shared<LeaksRequest>();
    addTraces(command, request->traces);
    addTableOfAllocations(command, request->table, "both");
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
