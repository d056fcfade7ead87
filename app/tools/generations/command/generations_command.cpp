#include "app/cli/options/command_options.h"
#include "app/cli/traces/command.h"
#include "app/tools/tools.h"

#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/trace_symbols.h"
#include "app/tools/leaks/command/leak_question.h"
#include "core/analysis/generations/generations.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/export/generations_writer.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace highwater::cli {
namespace {

/// The same rows as in leaks.
analysis::GenerationsQuery generationsOf(analysis::LeakQuery asked, const GenerationsRequest& request) {
    analysis::GenerationsQuery query;
    query.table = asked.table;
    query.interval = asked.interval;
    query.filter = std::move(asked.filter);
    query.processExitFreesHeap = request.processExitFreesHeap;
    query.allocatorFrames = std::move(asked.allocatorFrames);
    query.marks = std::move(asked.marks);
    query.most = request.rows.top;
    return query;
}

void write(const std::string& format, const analysis::GenerationsQuery& query,
           const analysis::GenerationsReport& report, const HealthReport& health, std::ostream& out) {
    if (format == "json")
        exports::writeGenerationsJson(query, report, health, out);
    else if (format == "csv")
        exports::writeGenerationsCsv(report, out);
    else
        exports::writeGenerationsText(query, report, out);
}

Result<ExitCode> runGenerations(const GenerationsRequest& request, const Console& console) {
    const auto& asked = request.rows;
    if (const auto error = wrongUsage(asked, "generations")) return *error;
    const auto trace = TRY(loadTrace(asked.traces));
    const auto& rows = *trace.rows;
    const auto question = TRY(leakQuestion(asked, trace, console));
    const auto query = generationsOf(question, request);

    const auto labels =
        TRY(makeLabels(asked.symbols, loadSymbols(asked.symbols, asked.traces, trace.rows, console), console));
    const auto report = analysis::countGenerations(rows, *labels, query);
    if (!report.hasValue()) return withNextCommand(report.error(), asked, rows);
    const auto health = analysis::healthOf(rows, query.table);
    write(asked.format, query, report.value(), health, console.answers);
    if (report.value().marks == 0)
        console.say(fmt::format("The interval has no marks, so it is one generation. {}", analysis::kHowMarksAreMade));
    const auto& table = query.table == analysis::Table::Heap ? rows.heap : rows.virtualAlloc;
    if (table.rows == 0) console.say(analysis::whyEmpty(rows, query.table, query.interval, asked.filter.words()));
    return printDataLoss(health, asked.strict, console);
}

} // namespace

Command generationsCommand(CLI::App& app) {
    auto& command = *app.add_subcommand("generations", "Show growth from mark to mark, and the stacks that keep it");
    const auto request = std::make_shared<GenerationsRequest>();
    auto& rows = request->rows;
    addTraces(command, rows.traces);
    addTableOfAllocations(command, rows.table, kFirstTable);
    addRange(command, rows.range);
    addFilters(command, rows.filter);
    command
        .add_option("--top", rows.top, "Number of stacks per generation; the rest are combined into one (default: 10)")
        ->check(CLI::Range(1u, 100'000u));
    addSymbols(command, rows.symbols);
    addProcessExit(command, request->processExitFreesHeap);
    addStrict(command, rows.strict);
    command.add_option("--format", rows.format, "text, csv or json (default: text)")
        ->check(CLI::IsMember({"text", "csv", "json"}));
    return {&command, [request](const Console& console) { return runGenerations(*request, console); }};
}

} // namespace highwater::cli
