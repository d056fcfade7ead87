#include "app/tools/fleet/command/fleet_add.h"

#include "app/cli/arguments/text_file.h"
#include "app/cli/traces/loaded_trace.h"
#include "app/cli/traces/trace_symbols.h"
#include "app/tools/fleet/command/fleet_files.h"
#include "app/tools/fleet/command/fleet_words.h"
#include "core/base/counted.h"
#include "core/base/on_threads.h"
#include "core/base/text.h"
#include "core/base/within_memory.h"
#include "core/fleet/stores/open_fleet_store.h"
#include "core/summary/run_id.h"
#include "core/summary/summarize.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <vector>

namespace highwater::cli {
namespace {

/// Counts results and prints a line per trace as it completes. Any thread.
class Progress {
  public:
    Progress(std::size_t traces, const Console& console) : traces_(traces), console_(console) {}

    void added(const std::string& trace, const summary::RunSummary& run) {
        const auto unnamed = static_cast<std::size_t>(
            std::count_if(run.frames.begin(), run.frames.end(), [](const auto& frame) { return !frame.isNamed; }));
        auto text =
            fmt::format("added: {}, {}", counted(run.stacks.size(), "stack"), counted(run.samples.size(), "sample"));
        if (unnamed > 0)
            text += fmt::format(", {} of {} without {}", thousands(unnamed), counted(run.frames.size(), "function"),
                                byNumber(unnamed, "a name", "names"));
        const std::lock_guard lock(mutex_);
        ++added_;
        isEveryWhole_ = isEveryWhole_ && run.facts.isWhole;
        lacksMachine_ = lacksMachine_ || run.facts.machine.empty();
        if (!run.facts.isWhole) text += "; it is incomplete, so its totals are bounds";
        say(trace, text + '.');
    }
    /// how: differences from the request; empty: none.
    void wasThere(const std::string& trace, const std::string& how = {}) {
        const std::lock_guard lock(mutex_);
        ++known_;
        say(trace, how.empty() ? "already in the fleet." : "already in the fleet" + how);
    }
    void failed(const std::string& trace, const Error& error) {
        const std::lock_guard lock(mutex_);
        ++failed_;
        say(trace, error.message);
    }
    void tell(const std::string& messages) {
        const std::lock_guard lock(mutex_);
        console_.messages << messages;
    }
    /// Prints the totals. Call after all threads have finished.
    ExitCode finish(const FleetRequest& request) const {
        console_.say(fmt::format("{} added, {} already in the fleet, {} not read.", thousands(added_),
                                 thousands(known_), thousands(failed_)));
        if (lacksMachine_)
            console_.say("A run without a machine name counts as one machine without a name. Specify it with --label "
                         "machine=NAME.");
        if (failed_ > 0) return ExitCode::CannotRead;
        return request.strict && !isEveryWhole_ ? ExitCode::DataMissing : ExitCode::Done;
    }

  private:
    void say(const std::string& trace, const std::string& text) {
        console_.say(fmt::format("[{}/{}] {}: {}", added_ + known_ + failed_, traces_, trace, text));
    }

    std::mutex mutex_;
    std::size_t traces_;
    const Console& console_;
    std::size_t added_ = 0, known_ = 0, failed_ = 0;
    bool isEveryWhole_ = true;
    bool lacksMachine_ = false;
};

/// Options common to all traces.
struct Adding {
    const FleetRequest& request;
    summary::SummaryOptions options;
    bool showsAll = false;
};

std::string absolutePath(const std::string& trace) {
    std::error_code error;
    const auto path = std::filesystem::absolute(trace, error);
    return error ? trace : utf8(path.lexically_normal());
}

Result<summary::RunSummary> summarizeFile(const Adding& adding, const std::string& trace, const std::string& run,
                                          Progress& progress) {
    const auto loaded = TRY(loadTrace({trace}));
    const auto& [rows, facts, notes, blocks] = loaded;
    // Symbol messages of hundreds of traces are shown only on request.
    std::ostringstream messages;
    const auto names = loadSymbols(adding.request.symbols, {trace}, rows, {messages, messages, adding.showsAll});
    if (adding.showsAll) progress.tell(messages.str());
    analysis::FrameLabels labels(names);
    auto options = adding.options;
    options.labels.run = run;
    options.labels.trace = absolutePath(trace);
    return summary::summarize({*rows, labels, facts.properties, facts.system, notes->marks}, options);
}

/// Whether given labels differ from those of the existing run.
bool areOtherLabels(const summary::RunFacts& given, const summary::RunFacts& there) {
    const auto isOther = [](const std::string& a, const std::string& b) { return !a.empty() && a != b; };
    return isOther(given.build, there.build) || isOther(given.machine, there.machine) ||
           isOther(given.scenario, there.scenario) ||
           std::any_of(given.labels.begin(), given.labels.end(), [&](const auto& label) {
               return std::find(there.labels.begin(), there.labels.end(), label) == there.labels.end();
           });
}

std::string labelsText(const summary::RunFacts& facts) {
    auto text = fmt::format("build={}, machine={}, scenario={}", printable(facts.build), printable(facts.machine),
                            printable(facts.scenario));
    for (const auto& [name, value] : facts.labels)
        text += fmt::format(", {}={}", printable(name), printable(value));
    return text;
}

/// The facts of a run in the fleet; empty if it was removed in the meantime.
Result<std::optional<summary::RunFacts>> factsThere(const std::string& run, fleet::FleetStore& store) {
    const auto all = TRY(store.runs({}, {}));
    const auto there = std::find_if(all.begin(), all.end(), [&](const auto& row) { return row.facts.run == run; });
    if (there == all.end()) return std::optional<summary::RunFacts>();
    return std::optional(there->facts);
}

/// Describes how an existing run differs from the added one; empty: no difference.
std::string differencesFromExisting(const Adding& adding, const std::string& path, const summary::RunFacts& there) {
    std::string text;
    if (areOtherLabels(adding.options.labels, there))
        text += fmt::format(" with {}; its labels were not changed", labelsText(there));
    if (there.trace != path)
        text += fmt::format("{} its path in the fleet is {}", text.empty() ? ":" : ";", printable(there.trace));
    return text.empty() ? text : text + " (use --update to change this).";
}

/// The existing facts with the given path and labels.
summary::RunFacts updated(const Adding& adding, const std::string& path, summary::RunFacts facts) {
    const auto& given = adding.options.labels;
    facts.trace = path;
    for (const auto part : {&summary::RunFacts::build, &summary::RunFacts::machine, &summary::RunFacts::scenario})
        if (!(given.*part).empty()) facts.*part = given.*part;
    for (const auto& label : given.labels) {
        const auto known = std::find_if(facts.labels.begin(), facts.labels.end(),
                                        [&](const auto& other) { return other.first == label.first; });
        if (known == facts.labels.end())
            facts.labels.push_back(label);
        else
            known->second = label.second;
    }
    return facts;
}

Result<void> handleExistingRun(const Adding& adding, const std::string& trace, const std::string& run,
                               fleet::FleetStore& store, Progress& progress) {
    const auto there = TRY(factsThere(run, store));
    const auto path = absolutePath(trace);
    const auto how = there ? differencesFromExisting(adding, path, *there) : std::string();
    if (how.empty() || !adding.request.updates) {
        progress.wasThere(trace, how);
        return {};
    }
    const auto changed = TRY(store.relabel(updated(adding, path, *there), {}));
    if (!changed) return Error{ErrorKind::NotFound, "It was removed in the meantime. Add it again."};
    progress.wasThere(trace, "; its path and labels were updated.");
    return {};
}

Result<void> addFile(const Adding& adding, const std::string& trace, fleet::FleetStore& store, Progress& progress) {
    const std::array<std::filesystem::path, 1> files{trace};
    const auto run = TRY(summary::runIdOf(files));
    const auto isThere = TRY(store.hasRun(run));
    if (isThere) return handleExistingRun(adding, trace, run, store, progress);
    const auto summary = TRY(summarizeFile(adding, trace, run, progress));
    const auto outcome = TRY(store.add(summary, {}));
    if (outcome == fleet::AddOutcome::Added)
        progress.added(trace, summary);
    else
        progress.wasThere(trace); // another process added it first
    return {};
}

/// The work of one thread: takes the next file until none is left. Each store belongs to one thread.
void addNext(const Adding& adding, const std::vector<std::string>& files, std::atomic<std::size_t>& next,
             Progress& progress) {
    auto store = fleet::openFleetStore(adding.request.store);
    for (auto i = next++; i < files.size(); i = next++) {
        const auto done = withinMemory([&]() -> Result<void> {
            return store.hasValue() ? addFile(adding, files[i], *store.value(), progress) : store.error();
        });
        if (!done.hasValue()) progress.failed(files[i], done.error());
    }
}

/// Creates a missing file, which no one else can be using. The schema of a server is created by its administrator.
Result<void> hasSchema(fleet::FleetStore& store, const FleetRequest& request, const Console& console) {
    const auto isThere = store.hasRun(std::string(32, '0'));
    if (isThere.hasValue()) return {};
    const bool isServer = request.store.find("://") != std::string::npos;
    if (isServer || isThere.error().kind != ErrorKind::NotFound) return isThere.error();
    auto made = store.create({});
    if (made.hasValue()) console.say(fmt::format("Created the fleet {}.", request.store));
    return made;
}

} // namespace

Result<ExitCode> addToFleet(const FleetRequest& request, const Console& console) {
    Adding adding{request, {}, console.showsAll};
    adding.options.windows = parseWindows(request.windows).value();
    const auto labels = parseLabels(request.labels).value();
    applyLabels(labels, adding.options.labels);
    if (!request.allocatorFramesFile.empty()) {
        const auto text = TRY(contentOf(request.allocatorFramesFile));
        adding.options.allocatorFrames = std::make_shared<const analysis::AllocatorFrames>(text);
    }
    const auto files = TRY(filesOfTraces(request.traces));
    // Store errors are reported once, before any trace is read.
    auto store = TRY(fleet::openFleetStore(request.store));
    TRY(hasSchema(*store, request, console));
    if (adding.options.labels.build.empty())
        console.say(
            "These runs have no build, which queries need for comparison. Specify it with --label build=NUMBER.");
    Progress progress(files.size(), console);
    std::atomic<std::size_t> next{0};
    const auto jobs = std::min<std::size_t>(request.jobs, files.size());
    onThreads(jobs, [&](std::size_t) { addNext(adding, files, next, progress); });
    return progress.finish(request);
}

} // namespace highwater::cli
