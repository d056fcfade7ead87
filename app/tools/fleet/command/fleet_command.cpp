#include "app/cli/traces/command.h"
#include "app/tools/tools.h"

#include "app/cli/options/command_options.h"
#include "app/cli/traces/loaded_trace.h"
#include "app/tools/fleet/command/fleet_add.h"
#include "app/tools/fleet/command/fleet_name.h"
#include "app/tools/fleet/command/fleet_questions.h"
#include "app/tools/fleet/command/fleet_remove.h"
#include "app/tools/fleet/command/fleet_words.h"
#include "core/fleet/stores/open_fleet_store.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace highwater::cli {
namespace {

Result<ExitCode> initFleet(const FleetRequest& request) {
    const auto store = TRY(fleet::openFleetStore(request.store));
    TRY(store->create(request.cluster));
    return ExitCode::Done;
}

Result<ExitCode> runFleet(const FleetRequest& request, const Console& console) {
    if (const auto error = wrongUsage(request)) return *error;
    if (request.action == "init") return initFleet(request);
    if (request.action == "add") return addToFleet(request, console);
    if (request.action == "remove") return removeFromFleet(request, console);
    if (request.action == "name") return nameFleet(request, console);
    return askFleet(request, console);
}

void addAdding(CLI::App& command, FleetRequest& request) {
    command.add_option("--cluster", request.cluster,
                       "init: the cluster of ClickHouse, by its name there (default: one server)");
    command
        .add_option(
            "--label", request.labels,
            "NAME=VALUE, such as build=8123, machine=lab-17 or scenario=startup, which questions know, or any "
            "other; may be given several times. add: of all these runs; the machine is the trace's own where it "
            "says one. runs, health: only runs with it (default: none)")
        ->allow_extra_args(false);
    command.add_option(
        "--windows", request.windows,
        "add: sums up parts of each run, too: marks (between marks), a number of seconds, or both, as in "
        "marks,60 (default: the whole run alone)");
    command.add_option("--jobs", request.jobs, "add: traces that are read at the same time (default: 1)")
        ->check(CLI::Range(1u, 64u));
    command.add_option(
        "--allocator-frames", request.allocatorFramesFile,
        "add, name: file with patterns module!function that owners lie behind (default: a built-in list)");
    command.add_flag("--update", request.updates,
                     "add: gives runs that are there the path of their trace and these labels; those that are not "
                     "named stay (default: only tells what is otherwise)");
    addDebugFiles(command, request.symbols);
}

void addAsking(CLI::App& command, FleetRequest& request) {
    command.add_option("--from", request.from, "grew, new, gone: the build before (required)");
    command.add_option("--to", request.to, "grew, new, gone: the build after (required)");
    command.add_option("--build", request.build,
                       "runs, worst, slope, health: only runs of this build; slope needs one (default: all)");
    command.add_option("--scenario", request.scenario, "All questions: only runs of this scenario (default: all)");
    command.add_option("--machine", request.machine, "All questions: only runs of this machine (default: all)");
    command.add_option("--process", request.process,
                       "Questions about stacks: only processes of this name (default: all)");
    command.add_option(
        "--table", request.table,
        "Questions about stacks: heap, virtualalloc or managed (default: all; of first-bad and worst heap)");
    command.add_option(
        "--window", request.window,
        "Questions about stacks: the part of each run, by its name, which runs lists in JSON (default: whole)");
    command.add_option(
        "--measure", request.measure,
        fmt::format("All but slope: what is compared: {}; the median, and p95 beside it, are over machines, each by "
                    "the median of its runs (default: inuse_space)",
                    fmt::join(measureWords(), ", ")));
    command.add_option("--stack", request.stack,
                       "first-bad, worst: the key of the stack, which grew prints (required)");
    command.add_option("--least", request.least,
                       "grew, new, gone: the least growth of the median, such as 1MB; of new and gone the least median "
                       "(default: 1KB, of "
                       "slope 1KB an hour, of objects 1; of new and gone 0)");
    command
        .add_option("--top", request.top,
                    "grew, new, gone, worst, slope: rows to show (default: 100; of worst and slope 20)")
        ->check(CLI::Range(1u, std::numeric_limits<std::uint32_t>::max()));
    command.add_flag("--fail", request.fail, "grew, new: exit with 4 if there is any, with 3 if too few runs can tell");
}

} // namespace

Command fleetCommand(CLI::App& app) {
    auto& command = *app.add_subcommand(
        "fleet", "Many runs in a store: which stack grew between two builds, and in which run it is worst");
    const auto request = std::make_shared<FleetRequest>();
    command
        .add_option("ACTION", request->action,
                    "init, add, remove, name, runs, grew, new, gone, first-bad, worst, slope or health")
        ->required()
        ->check(CLI::IsMember(
            {"init", "add", "remove", "name", "runs", "grew", "new", "gone", "first-bad", "worst", "slope", "health"}));
    command
        .add_option("STORE", request->store,
                    "A file of SQLite, such as fleet.sqlite, or clickhouse://HOST:8123/DATABASE (clickhouses:// over "
                    "TLS; user and password from the environment)")
        ->required();
    command.add_option("TRACE", request->traces,
                       "add: trace files, each a run of its own, and folders of them (.etl, .etl.zip, .diagsession); "
                       "remove: runs, by the 32 digits that fleet runs prints");
    addAdding(command, *request);
    addAsking(command, *request);
    addFormat(command, request->format, {"text", "csv", "json"});
    command.add_flag("--strict", request->strict,
                     "add, runs, grew, new, gone, health: exit with 3 if a run that was added, or takes part, is not "
                     "complete, so that its totals are bounds");
    return {&command, [request](const Console& console) { return runFleet(*request, console); }};
}

} // namespace highwater::cli
