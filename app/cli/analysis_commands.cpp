#include "app/cli/analysis_commands.h"

#include "app/cli/explain_command.h"
#include "app/cli/generations_command.h"
#include "app/cli/leaks_command.h"
#include "app/cli/options/command_options.h"

#include <memory>

namespace highwater::cli {

namespace {

void addOwners(CLI::App& command, LeaksRequest& request) {
    command
        .add_option("--owner", request.owners,
                    "Name this function as an owner, even if it looks like a wrapper of an allocator: FUNCTION or "
                    "MODULE!FUNCTION, * is any text; may be given several times (default: none)")
        ->allow_extra_args(false);
    command
        .add_option("--wrapper", request.wrappers,
                    "Look for owners behind this function because it hands memory on to its callers; as --owner")
        ->allow_extra_args(false);
}

} // namespace

Command leaksCommand(CLI::App& app) {
    auto& command = *app.add_subcommand("leaks", "Which stacks keep memory, the most suspicious first, and why");
    const auto request = std::make_shared<LeaksRequest>();
    addTraces(command, request->traces);
    addTableOfAllocations(command, request->table);
    addRange(command, request->range);
    addFilters(command, request->filter);
    command.add_option("--top", request->top, "Suspects to name (default: 10)")->check(CLI::Range(1u, 512u));
    addSymbols(command, request->symbols);
    addSuppressions(command, request->suppressions);
    addOwners(command, *request);
    addStrict(command, request->strict);
    command.add_option("--format", request->format, "text, csv or json (default: text)")
        ->check(CLI::IsMember({"text", "csv", "json"}));
    return {&command, [request](const Console& console) { return runLeaks(*request, console); }};
}

Command generationsCommand(CLI::App& app) {
    auto& command = *app.add_subcommand("generations", "What grew from mark to mark, and which stacks keep it");
    const auto request = std::make_shared<GenerationsRequest>();
    auto& rows = request->rows;
    addTraces(command, rows.traces);
    addTableOfAllocations(command, rows.table);
    addRange(command, rows.range);
    addFilters(command, rows.filter);
    command.add_option("--top", rows.top, "Stacks of each generation; the others are summed up (default: 10)")
        ->check(CLI::Range(1u, 100'000u));
    addSymbols(command, rows.symbols);
    addProcessExit(command, request->processExitFreesHeap);
    addStrict(command, rows.strict);
    command.add_option("--format", rows.format, "text, csv or json (default: text)")
        ->check(CLI::IsMember({"text", "csv", "json"}));
    return {&command, [request](const Console& console) { return runGenerations(*request, console); }};
}

Command explainCommand(CLI::App& app) {
    auto& command = *app.add_subcommand("explain", "One page that says what is wrong: when memory rose most and who "
                                                   "made it, which stacks leak, and the commands that show each");
    const auto request = std::make_shared<LeaksRequest>();
    addTraces(command, request->traces);
    addTableOfAllocations(command, request->table);
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
