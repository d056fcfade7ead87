#include "app/cli/traces/command.h"
#include "app/tools/tools.h"

#include "app/cli/arguments/query_arguments.h"
#include "app/cli/options/command_options.h"
#include "app/cli/traces/loaded_trace.h"
#include "app/tools/formats/command/stop_by_signal.h"
#include "core/base/within_memory.h"
#include "core/pipeline/crop/trace_crop.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace highwater::cli {
namespace {

using pipeline::CropRequest;

struct CropArguments {
    std::vector<std::string> traces;
    std::vector<std::string> processes;
    std::string range;
    std::string output;
    bool plain = false;
};

Result<CropRequest> requestOf(const CropArguments& arguments) {
    CropRequest request;
    if (arguments.range.empty() && arguments.processes.empty()) {
        return Error{ErrorKind::Usage,
                     "Specify the part to keep: --range START:END in seconds, --process NAME, or both."};
    }
    if (arguments.output.empty() || arguments.output == "-")
        return Error{ErrorKind::Usage, "Specify the file to write: -o OUT.etl."};
    request.interval = TRY(parseRange(arguments.range, {kBeforeTrace, kNever}));
    request.traces.assign(arguments.traces.begin(), arguments.traces.end());
    request.processes = arguments.processes;
    request.output = arguments.output;
    if (arguments.plain) request.compression = etl::Compression::None;
    return request;
}

Result<ExitCode> runCrop(const CropArguments& arguments, const Console& console) {
    const auto request = TRY(requestOf(arguments));
    const StopBySignal signals;
    Progress progress;
    const auto cropped = TRY(withinMemory([&] { return pipeline::cropTrace(request, signals.token(), progress); }));
    for (const auto& sentence : pipeline::sentencesOf(cropped, arguments.output))
        console.say(sentence);
    return ExitCode::Done;
}

} // namespace

Command cropCommand(CLI::App& app) {
    auto& command = *app.add_subcommand(
        "crop", "Write part of a trace as a new trace that includes the allocations outstanding at its start");
    const auto arguments = std::make_shared<CropArguments>();
    addTraces(command, arguments->traces);
    command.add_option("--range", arguments->range,
                       "START:END in seconds; either may be empty (default: the whole trace if --process is given)");
    command
        .add_option("--process", arguments->processes,
                    "Keep only this process: its name, its PID, or both as shown in tables; may be given several times "
                    "(default: all)")
        ->take_all()
        ->expected(1);
    command.add_flag("--plain", arguments->plain, "Do not compress the file (default: compressed)");
    command.add_option("-o,--output", arguments->output, "Trace file to write")->required();
    return {&command, [arguments](const Console& console) { return runCrop(*arguments, console); }};
}

} // namespace highwater::cli
