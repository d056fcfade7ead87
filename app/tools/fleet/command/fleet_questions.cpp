#include "app/tools/fleet/command/fleet_questions.h"

#include "app/cli/arguments/amount_ranges.h"
#include "app/cli/arguments/query_arguments.h"
#include "app/cli/traces/loaded_trace.h"
#include "app/tools/fleet/command/fleet_answers.h"
#include "app/tools/fleet/command/fleet_words.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/fleet/stores/open_fleet_store.h"
#include "core/summary/resident_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace highwater::cli {
namespace {

using fleet::FleetStore, fleet::SampleFilter;

Error usage(std::string message) { return {ErrorKind::Usage, std::move(message)}; }

/// The options of each action besides --format and the common ones. '!' marks required options.
struct ActionSpec {
    std::string_view action;
    std::string_view options;
};
constexpr std::array kActions{
    ActionSpec{"init", "--cluster"},
    ActionSpec{"add", "!TRACE --label --windows --jobs --allocator-frames --update --strict"},
    ActionSpec{"remove", "!RUN"},
    ActionSpec{"name", "--allocator-frames"},
    ActionSpec{"runs", "--build --machine --scenario --label --strict"},
    ActionSpec{"grew",
               "!--from !--to --scenario --machine --process --table --window --measure --least --top --fail --strict"},
    ActionSpec{"new",
               "!--from !--to --scenario --machine --process --table --window --measure --least --top --fail --strict"},
    ActionSpec{"gone",
               "!--from !--to --scenario --machine --process --table --window --measure --least --top --strict"},
    ActionSpec{"first-bad", "!--stack --scenario --machine --process --table --window --measure"},
    ActionSpec{"worst", "!--stack --build --scenario --machine --process --table --window --measure --top"},
    ActionSpec{"slope", "!--build --scenario --machine --process --table --window --top"},
    ActionSpec{"health", "--build --machine --scenario --label --strict"},
};

/// The same with a measure of processes. Other actions have no such measure.
constexpr std::array kActionsOfProcesses{
    ActionSpec{"runs", "--build --machine --scenario --label --measure --strict"},
    ActionSpec{"grew", "!--from !--to --scenario --machine --process --measure --least --top --fail --strict"},
    ActionSpec{"first-bad", "!--process --scenario --machine --measure"},
    ActionSpec{"worst", "--build --scenario --machine --process --measure --top"},
};

const ActionSpec* specOf(std::span<const ActionSpec> specs, std::string_view action) {
    const auto found = std::ranges::find(specs, action, &ActionSpec::action);
    return found == specs.end() ? nullptr : &*found;
}

/// Whether each option was given, by name.
std::vector<std::pair<std::string_view, bool>> givenIn(const FleetRequest& request) {
    const FleetRequest usual;
    return {{request.action == "remove" ? "RUN" : "TRACE", !request.traces.empty()},
            {"--cluster", !request.cluster.empty()},
            {"--label", !request.labels.empty()},
            {"--windows", !request.windows.empty()},
            {"--jobs", request.jobs != usual.jobs},
            {"--allocator-frames", !request.allocatorFramesFile.empty()},
            {"--update", request.updates},
            {"--from", !request.from.empty()},
            {"--to", !request.to.empty()},
            {"--build", !request.build.empty()},
            {"--scenario", !request.scenario.empty()},
            {"--machine", !request.machine.empty()},
            {"--process", !request.process.empty()},
            {"--table", !request.table.empty()},
            {"--window", request.window != usual.window},
            {"--measure", request.measure != usual.measure},
            {"--stack", !request.stack.empty()},
            {"--least", !request.least.empty()},
            {"--top", request.top != usual.top},
            {"--fail", request.fail},
            {"--strict", request.strict}};
}

bool isAmong(std::string_view words, std::string_view word) {
    while (!words.empty()) {
        const auto blank = std::min(words.find(' '), words.size());
        if (words.substr(0, blank) == word) return true;
        words.remove_prefix(std::min(blank + 1, words.size()));
    }
    return false;
}

/// with: the part of the request on which the options depend, for messages.
std::optional<Error> wrongOptions(const FleetRequest& request, const ActionSpec& spec, std::string_view with) {
    for (const auto& [option, isGiven] : givenIn(request)) {
        const bool isNeeded = isAmong(spec.options, fmt::format("!{}", option));
        if (isNeeded && !isGiven) return usage(fmt::format("fleet {} needs {}{}.", spec.action, option, with));
        if (isGiven && !isNeeded && !isAmong(spec.options, option))
            return usage(fmt::format("\"fleet {}\" does not accept {}{}.", spec.action, option, with));
    }
    return std::nullopt;
}

std::optional<Error> wrongOptions(const FleetRequest& request, const ActionSpec& spec, fleet::Measure measure) {
    if (!isOfProcesses(measure)) return wrongOptions(request, spec, "");
    const auto with = fmt::format(" with --measure {}", request.measure);
    if (const auto* ofProcesses = specOf(kActionsOfProcesses, spec.action))
        return wrongOptions(request, *ofProcesses, with);
    if (!isAmong(spec.options, "--measure")) return wrongOptions(request, spec, "");
    return usage(fmt::format("\"fleet {}\" compares stacks, but {} is a measure of the processes of a run. Use it with "
                             "grew, first-bad, worst or runs.",
                             spec.action, request.measure));
}

/// Requires validated arguments.
SampleFilter samplesOf(const FleetRequest& request) {
    SampleFilter filter;
    filter.scenario = request.scenario;
    filter.process = request.process;
    filter.machine = request.machine;
    if (!request.table.empty()) filter.table = parseTableWord(request.table).value();
    filter.window = request.window;
    filter.measure = parseMeasure(request.measure).value();
    return filter;
}

/// Accepts "build=8123" like labels, or the build alone.
std::string buildOf(const std::string& typed) {
    constexpr std::string_view kLabel = "build=";
    return typed.starts_with(kLabel) ? typed.substr(kLabel.size()) : typed;
}

fleet::RunFilter runsOf(const FleetRequest& request) {
    return {buildOf(request.build), request.machine, request.scenario, parseLabels(request.labels).value()};
}

/// Requires validated arguments. None for a measure of processes.
summary::StackKey stackOf(const FleetRequest& request) {
    return request.stack.empty() ? summary::StackKey() : parseStackKey(request.stack).value();
}

/// The table of a stack; Heap if not given.
analysis::Table tableOf(const FleetRequest& request) {
    return request.table.empty() ? analysis::Table::Heap : parseTableWord(request.table).value();
}

std::int64_t leastOf(const FleetRequest& request, std::int64_t usual) {
    if (request.least.empty()) return usual;
    return static_cast<std::int64_t>(parseBytes("--least", request.least).value());
}

std::size_t mostOf(const FleetRequest& request, std::size_t usual) { return request.top > 0 ? request.top : usual; }

/// Output common to queries that compare two builds.
ExitCode tell(const fleet::GrewAnswer& answer, std::int64_t least, const FleetRequest& request,
              const Console& console) {
    const auto measure = parseMeasure(request.measure).value();
    FleetAnswers(request.format, console.answers).write(answer, measure);
    const auto shown = answer.rows.size();
    if (answer.significant > shown)
        console.say(fmt::format("Showing {} of {}; use --top N to show more.", thousands(shown),
                                thousands(answer.significant)));
    const bool isUnknown = shown == 0 && !answer.canTell && (request.fail || request.action == "grew");
    if (isUnknown)
        console.say("There are too few comparable runs to decide.");
    else if (shown == 0)
        console.say(fmt::format("No match among {}{}.", countedRows(answer.tested, measure),
                                least > 1 ? fmt::format(" with at least {} (--least)", thousands(least)) : ""));
    for (const auto& note : answer.notes)
        console.say(note);
    if (request.fail && shown > 0) return ExitCode::HasGrown;
    if (request.fail && isUnknown) return ExitCode::DataMissing;
    return request.strict && answer.runsNotWhole > 0 ? ExitCode::DataMissing : ExitCode::Done;
}

Result<ExitCode> askGrew(FleetStore& store, const FleetRequest& request, const Console& console) {
    fleet::GrewQuestion question;
    question.fromBuild = buildOf(request.from);
    question.toBuild = buildOf(request.to);
    question.samples = samplesOf(request);
    question.leastGrowth = leastOf(request, fleet::usualLeast(question.samples.measure));
    question.most = mostOf(request, question.most);
    const auto answer = TRY(store.grew(question, {}));
    return tell(answer, question.leastGrowth, request, console);
}

Result<ExitCode> askPresence(FleetStore& store, const FleetRequest& request, const Console& console) {
    fleet::PresenceQuestion question;
    question.fromBuild = buildOf(request.from);
    question.toBuild = buildOf(request.to);
    question.samples = samplesOf(request);
    question.isGone = request.action == "gone";
    question.least = leastOf(request, question.least);
    question.most = mostOf(request, question.most);
    const auto answer = TRY(store.presence(question, {}));
    return tell(answer, question.least, request, console);
}

/// For a measure of processes: unknown is not 0.
void sayUnknown(std::size_t runs, std::string_view shown, const Console& console) {
    if (runs > 0)
        console.say(fmt::format("{} {} not {} because the value is unknown.", counted(runs, "run"),
                                byNumber(runs, "is", "are"), shown));
}

Result<ExitCode> askHistory(FleetStore& store, const FleetRequest& request, const Console& console) {
    const auto answer = TRY(store.history({stackOf(request), tableOf(request), samplesOf(request)}, {}));
    FleetAnswers(request.format, console.answers).write(answer, parseMeasure(request.measure).value());
    const auto& [stack, builds, firstBad, mended, runsUnknown] = answer;
    if (!firstBad && !builds.empty()) console.say("No build is significantly above the builds before it.");
    if (mended)
        console.say(fmt::format("It started in {} and is fixed in {}.", printable(builds[*firstBad].build),
                                printable(builds[*mended].build)));
    sayUnknown(runsUnknown, "compared", console);
    return ExitCode::Done;
}

/// Truncates lists that were queried with one extra row, because stores do not count omitted rows.
template <typename Rows>
void cutTo(std::size_t most, Rows& rows, std::string_view nouns, const Console& console) {
    if (rows.size() <= most) return;
    rows.resize(most);
    console.say(fmt::format("There are more {}; use --top N to show them.", nouns));
}

Result<ExitCode> askWorst(FleetStore& store, const FleetRequest& request, const Console& console) {
    fleet::WorstQuestion question;
    question.stack = stackOf(request);
    question.table = tableOf(request);
    question.samples = samplesOf(request);
    question.build = buildOf(request.build);
    const auto most = mostOf(request, question.most);
    question.most = most + 1;
    auto answer = TRY(store.worst(question, {}));
    cutTo(most, answer.runs, "runs", console);
    FleetAnswers(request.format, console.answers).write(answer, question.samples.measure);
    if (answer.runs.empty() && !isOfProcesses(question.samples.measure))
        console.say("No run has this stack in this table (--table).");
    sayUnknown(answer.runsUnknown, "shown", console);
    return ExitCode::Done;
}

Result<ExitCode> askSlopes(FleetStore& store, const FleetRequest& request, const Console& console) {
    constexpr std::size_t kMost = 20;
    const auto most = mostOf(request, kMost);
    auto answer = TRY(store.slopes(buildOf(request.build), samplesOf(request), most + 1, {}));
    cutTo(most, answer, "stacks", console);
    FleetAnswers(request.format, console.answers).write(answer);
    return ExitCode::Done;
}

/// For a measure of processes, the worst run first. Unknown values are last.
void sortWorstFirst(std::vector<fleet::RunRow>& runs, fleet::Measure measure) {
    if (!isOfProcesses(measure)) return;
    std::ranges::stable_sort(runs, std::greater(), [&](const auto& run) {
        return measure == fleet::Measure::Held ? summary::heldOf(run.facts) : summary::rssPeakOf(run.facts);
    });
}

/// Listing an empty store is not an error, but finding no runs for given filters is, as in all queries.
bool asksForSome(const FleetRequest& request) {
    return !request.build.empty() || !request.machine.empty() || !request.scenario.empty() || !request.labels.empty();
}

template <typename Rows, typename IsNotWhole>
Result<ExitCode> printRows(const Rows& rows, const IsNotWhole& isNotWhole, const FleetRequest& request,
                           const Console& console) {
    if (rows.empty() && asksForSome(request)) return Error{ErrorKind::NotFound, "The store has no matching runs."};
    FleetAnswers(request.format, console.answers).write(rows);
    if (rows.empty()) console.say("The store has no runs yet.");
    return request.strict && std::ranges::any_of(rows, isNotWhole) ? ExitCode::DataMissing : ExitCode::Done;
}

} // namespace

std::optional<Error> wrongUsage(const FleetRequest& request) {
    const auto* spec = specOf(kActions, request.action);
    if (spec == nullptr) return usage(fmt::format("Unknown command \"fleet {}\".", request.action));
    const auto measure = TRY(parseMeasure(request.measure));
    if (auto error = wrongOptions(request, *spec, measure)) return error;
    TRY(parseLabels(request.labels));
    TRY(parseWindows(request.windows));
    if (!request.table.empty()) TRY(parseTableWord(request.table));
    if (!request.stack.empty()) TRY(parseStackKey(request.stack));
    if (!request.least.empty()) TRY(parseBytes("--least", request.least));
    return std::nullopt;
}

Result<ExitCode> askFleet(const FleetRequest& request, const Console& console) {
    const auto opened = TRY(fleet::openFleetStore(request.store));
    auto& store = *opened;
    const auto& action = request.action;
    if (action == "runs") {
        auto runs = TRY(store.runs(runsOf(request), {}));
        sortWorstFirst(runs, parseMeasure(request.measure).value());
        return printRows(
            runs, [](const auto& run) { return !run.facts.isWhole; }, request, console);
    }
    if (action == "health") {
        const auto builds = TRY(store.health(runsOf(request), {}));
        return printRows(
            builds, [](const auto& row) { return row.runsNotWhole > 0; }, request, console);
    }
    if (action == "grew") return askGrew(store, request, console);
    if (action == "first-bad") return askHistory(store, request, console);
    if (action == "worst") return askWorst(store, request, console);
    if (action == "slope") return askSlopes(store, request, console);
    return askPresence(store, request, console); // new, gone
}

} // namespace highwater::cli
