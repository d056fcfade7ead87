#include "app/cli/options/command_options.h"
#include "app/cli/traces/command.h"
#include "app/tools/formats/command/format_request.h"
#include "app/tools/tools.h"
#include "core/analysis/table/nothing_found.h"
#include "core/analysis/table/table_health.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/formats/pprof/pprof_writer.h"

#include <fmt/format.h>

#include <memory>

namespace highwater::cli {
namespace {

struct PprofRequest : FormatRequest {
    bool skipsAllocators = false;
};

formats::PprofQuery queryOf(const PprofRequest& request, const FormatQuestion& question) {
    formats::PprofQuery query{question.table, question.interval, question.filter, request.processExitFreesHeap};
    if (request.skipsAllocators)
        query.allocatorFrames = question.table == analysis::Table::Managed ? analysis::AllocatorFrames::builtInManaged()
                                                                           : analysis::AllocatorFrames::builtIn();
    return query;
}

Result<ExitCode> runPprof(const PprofRequest& request, const Console& console) {
    if (const auto error = wrongUsage(request)) return *error;
    const auto question = TRY(ask(request, console));
    const auto& rows = *question.trace.rows;
    const auto health = analysis::healthOf(rows, question.table);
    const formats::PprofFacts facts{formats::unixNanosOf(question.trace.facts.properties, question.interval.start),
                                    formats::linesOf(question.subject(request), health)};
    std::size_t samples = 0;
    TRY(writeAnswer(request, console.forBytes(), [&](std::ostream& out, const std::stop_token& stop) -> Result<void> {
        const auto count =
            TRY(formats::writePprof(rows, *question.labels, queryOf(request, question), facts, out, stop));
        samples = count;
        return {};
    }));
    if (!isToStdout(request)) console.say(fmt::format("{} in {}.", counted(samples, "sample"), request.output));
    if (samples == 0) console.say(analysis::whyEmpty(rows, question.table, question.interval, request.filter.words()));
    return printDataLoss(health, request.strict, console);
}

} // namespace

Command pprofCommand(CLI::App& app) {
    auto& command =
        *app.add_subcommand("pprof", "Write a table as a pprof profile: allocated and kept memory of each stack");
    const auto request = std::make_shared<PprofRequest>();
    addTraces(command, request->traces);
    command.add_option(
        "--table", request->table,
        "virtualalloc, heap or managed (default: heap, or virtualalloc if the trace has no heap allocations)");
    addRows(command, *request);
    command.add_flag("--no-allocator-frames", request->skipsAllocators,
                     "Strip allocator functions from the end of stacks, as in bottom-up stacks of tables; otherwise "
                     "these functions own all memory (default: whole stacks)");
    command.add_option("-o,--output", request->output,
                       "File to write, such as app.pb.gz; an existing file is replaced; -: stdout (default: stdout)");
    return {&command, [request](const Console& console) { return runPprof(*request, console); }};
}

} // namespace highwater::cli
