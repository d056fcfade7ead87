#include "app/cli/options/command_options.h"
#include "app/cli/traces/command.h"
#include "app/tools/tools.h"

#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/trace_symbols.h"
#include "app/tools/leaks/command/leak_question.h"
#include "core/analysis/explain/explain.h"
#include "core/export/explain/explain_writer.h"

#include <CLI/CLI.hpp>
#include <memory>

namespace highwater::cli {
namespace {

// Options that commands repeat.

exports::CommandLine labelsOf(const FilterRequest& filter) {
    exports::CommandLine labels;
    for (const auto& mark : filter.marks)
        exports::addOption(labels, "--mark", mark);
    for (const auto& annotation : filter.annotations)
        exports::addOption(labels, "--annotate", annotation);
    return labels;
}

/// Options that only leaks supports.
std::vector<std::string> ownersOf(const LeaksRequest& request) {
    std::vector<std::string> options;
    for (const auto& name : request.owners)
        exports::addOption(options, "--owner", name);
    for (const auto& name : request.wrappers)
        exports::addOption(options, "--wrapper", name);
    return options;
}

Result<ExitCode> runExplain(const LeaksRequest& request, const Console& console) {
    if (const auto error = wrongUsage(request, "explain")) return *error;
    const auto trace = TRY(loadTrace(request.traces));
    const auto query = TRY(leakQuestion(request, trace, console));
    const auto& [rows, facts, notes, heapBlocks] = trace;
    const auto labels =
        TRY(makeLabels(request.symbols, loadSymbols(request.symbols, request.traces, rows, console), console));
    const auto answer = analysis::explainWithExit(rows, labels, query);
    if (!answer.hasValue()) return withNextCommand(answer.error(), request, *rows);

    const auto health = analysis::healthOf(*rows, answer.value());
    const exports::TraceInfo info{facts, *rows, *notes, {}};
    const auto commands = exports::explainCommands(answer.value(), *rows,
                                                   {request.traces, request.filter.query, labelsOf(request.filter),
                                                    wordsOf(request.symbols), request.suppressions, ownersOf(request)});
    const exports::ExplainPage page{info, answer.value(), health, commands, request.filter.query};
    if (request.format == "json")
        exports::writeExplainJson(page, console.answers);
    else
        exports::writeExplainText(page, console.answers);
    return printDataLoss(health, request.strict, console);
}

} // namespace

Command explainCommand(CLI::App& app) {
    auto& command =
        *app.add_subcommand("explain", "Explain memory growth on one page: when memory rose most, which code caused "
                                       "it, which stacks leak, and commands that show the details");
    const auto request = std::make_shared<LeaksRequest>();
    addTraces(command, request->traces);
    addTableOfAllocations(command, request->table, "suspects of both; the surge of " + std::string(kFirstTable));
    addRange(command, request->range);
    command.add_option("--filter", request->filter.query, kFilterHelp);
    addLabels(command, request->filter);
    addSymbols(command, request->symbols);
    addSuppressions(command, request->suppressions);
    addOwners(command, *request);
    addStrict(command, request->strict);
    command.add_option("--format", request->format, "text or json (default: text)")
        ->check(CLI::IsMember({"text", "json"}));
    return {&command, [request](const Console& console) { return runExplain(*request, console); }};
}

} // namespace highwater::cli
