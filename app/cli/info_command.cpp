#include "app/cli/info_command.h"

#include "app/cli/loaded_trace.h"
#include "core/export/info/info_writer.h"

namespace highwater::cli {

ExitCode runInfo(const InfoRequest& request, const Console& console) {
    const auto trace = loadTrace(request.traces);
    if (!trace.hasValue()) return fail(trace.error(), console);
    const auto& [rows, facts, notes] = trace.value();
    const exports::TraceInfo info{facts, *rows, *notes, {request.processes, request.modules}};
    if (request.json)
        exports::writeInfoJson(info, console.answers);
    else
        exports::writeInfoText(info, console.answers);
    return sayWhatIsMissing(rows->health, request.strict, console);
}

} // namespace highwater::cli
