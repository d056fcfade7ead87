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
    command.add_option("--cluster", request.cluster, "init: name of the ClickHouse cluster (default: one server)");
    command
        .add_option("--label", request.labels,
                    "NAME=VALUE, such as build=8123, machine=lab-17 or scenario=startup, which queries use, or any "
                    "other; may be given several times. add: for all these runs; a machine name in the trace takes "
                    "precedence. runs, health: only runs with this label (default: none)")
        ->allow_extra_args(false);
    command.add_option("--windows", request.windows,
                       "add: also summarize parts of each run: marks (between marks), a number of seconds, or both, as "
                       "in marks,60 (default: only the whole run)");
    command.add_option("--jobs", request.jobs, "add: number of traces to read in parallel (default: 1)")
        ->check(CLI::Range(1u, 64u));
    command.add_option(
        "--allocator-frames", request.allocatorFramesFile,
        "add, name: file with module!function patterns to skip when determining owners (default: a built-in list)");
    command.add_flag("--update", request.updates,
                     "add: update the trace path and these labels of existing runs; other labels are kept (default: "
                     "only report differences)");
    addDebugFiles(command, request.symbols);
}

void addAsking(CLI::App& command, FleetRequest& request) {
    command.add_option("--from", request.from, "grew, new, gone: the earlier build (required)");
    command.add_option("--to", request.to, "grew, new, gone: the later build (required)");
    command.add_option("--build", request.build,
                       "runs, worst, slope, health: only runs of this build; required for slope (default: all)");
    command.add_option("--scenario", request.scenario, "All queries: only runs of this scenario (default: all)");
    command.add_option("--machine", request.machine, "All queries: only runs of this machine (default: all)");
    command.add_option(
        "--process", request.process,
        "grew, new, gone, first-bad, worst, slope: only processes with this name; required for first-bad "
        "with rss_peak and held (default: all)");
    command.add_option("--table", request.table,
                       "Stack queries: heap, virtualalloc or managed (default: all; for first-bad and worst heap)");
    command.add_option("--window", request.window,
                       "Stack queries: the part of each run, by its name as listed by runs in JSON (default: whole)");
    command.add_option(
        "--measure", request.measure,
        fmt::format("grew, new, gone, first-bad, worst: measure to compare: {}; the median and p95 are over machines, "
                    "with each machine represented by the median of its runs. rss_peak (the highest Rss) and held (the "
                    "pages that heap blocks keep in RAM) are measures of processes: with them, grew, first-bad and "
                    "worst compare processes, and runs lists the runs by them, highest first (default: inuse_space)",
                    fmt::join(measureWords(), ", ")));
    command.add_option("--stack", request.stack,
                       "first-bad, worst: the stack key printed by grew (required, except for rss_peak and held)");
    command.add_option(
        "--least", request.least,
        "grew, new, gone: ignore median growth smaller than this, such as 1MB; for new and gone, medians smaller than "
        "this (default: 1KB, for slope 1KB an hour, for objects 1; for new and gone 0)");
    command
        .add_option("--top", request.top,
                    "grew, new, gone, worst, slope: number of rows to show (default: 100; for worst and slope 20)")
        ->check(CLI::Range(1u, std::numeric_limits<std::uint32_t>::max()));
    command.add_flag("--fail", request.fail,
                     "grew, new: exit with 4 if any stack is found, with 3 if there are too few runs to decide");
}

} // namespace

Command fleetCommand(CLI::App& app) {
    auto& command = *app.add_subcommand(
        "fleet",
        "Compare many runs in a store: which stacks grew between two builds, and in which runs they are worst");
    const auto request = std::make_shared<FleetRequest>();
    command
        .add_option("ACTION", request->action,
                    "init, add, remove, name, runs, grew, new, gone, first-bad, worst, slope or health")
        ->required()
        ->check(CLI::IsMember(
            {"init", "add", "remove", "name", "runs", "grew", "new", "gone", "first-bad", "worst", "slope", "health"}));
    command
        .add_option("STORE", request->store,
                    "An SQLite file, such as fleet.sqlite, or clickhouse://HOST:8123/DATABASE (clickhouses:// over "
                    "TLS; user and password from the environment)")
        ->required();
    command.add_option("TRACE", request->traces,
                       "add: trace files, each a separate run, and folders with them (.etl, .etl.zip, .diagsession); "
                       "remove: runs, by the 32 digits printed by fleet runs");
    addAdding(command, *request);
    addAsking(command, *request);
    addFormat(command, request->format, {"text", "csv", "json"});
    command.add_flag(
        "--strict", request->strict,
        "add, runs, grew, new, gone, health: exit with 3 if the totals of a run are bounds because it is incomplete");
    return {&command, [request](const Console& console) { return runFleet(*request, console); }};
}

} // namespace highwater::cli
