#include "app/cli/info_command.h"

#include "app/cli/traces/loaded_trace.h"
#include "core/analysis/table/nothing_found.h"
#include "core/export/info/info_writer.h"

namespace highwater::cli {

namespace {

/// A program that Highwater recorded may as well have asked for no pages of its own.
void sayWhatWasNotRecorded(const store::PublishedTrace& rows, const pipeline::TraceFacts& facts,
                           const Console& console) {
    if (facts.properties.sessionName == kAgentSessionName && rows.heap.rows > 0) return;
    for (const auto& sentence : analysis::notRecorded(rows))
        console.say(sentence);
}

} // namespace

ExitCode runInfo(const InfoRequest& request, const Console& console) {
    const auto trace = loadTrace(request.traces);
    if (!trace.hasValue()) return fail(trace.error(), console);
    const auto& [rows, facts, notes] = trace.value();
    const exports::TraceInfo info{facts, *rows, *notes, {request.processes, request.modules}};
    if (request.json)
        exports::writeInfoJson(info, console.answers);
    else
        exports::writeInfoText(info, console.answers);
    sayWhatWasNotRecorded(*rows, facts, console);
    return sayWhatIsMissing(rows->health, request.strict, console);
}

} // namespace highwater::cli
