#include "tests/core/fleet/ask_everything.h"

#include "tests/core/fleet/made_fleet.h"
#include "tests/core/fleet/plain_answers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace highwater::tests {
namespace {

using namespace fleet;

template <typename Answer>
std::string differenceOf(const std::string& question, const Result<Answer>& answer, const PlainAnswers::Lines& wanted) {
    if (!answer.hasValue()) return question + ": " + answer.error().message;
    const auto lines = linesOf(answer.value());
    if (lines == wanted) return {};
    return fmt::format("{}:\n{}\ninstead of\n{}\n", question, fmt::join(lines, "\n"), fmt::join(wanted, "\n"));
}

SampleFilter randomFilter(MadeFleet& made) {
    SampleFilter filter;
    if (made.pick(3) == 0) filter.scenario = made.pick(2) == 0 ? "night" : "day";
    if (made.pick(3) == 0) filter.process = made.pick(2) == 0 ? "app.exe" : "help'er";
    if (made.pick(3) == 0) filter.table = made.pick(2) == 0 ? analysis::Table::Heap : analysis::Table::VirtualAlloc;
    if (made.pick(4) == 0) filter.window = made.pick(2) == 0 ? "Warm to 'Full'" : "Warm to 'Full' (2)";
    filter.measure = static_cast<Measure>(made.pick(10));
    if (!isOfProcesses(filter.measure)) return filter;
    filter.table.reset();
    filter.window = "whole";
    if (made.pick(3) == 0) filter.process = "never allocates";
    return filter;
}

std::string askOne(FleetStore& store, const PlainAnswers& plain, MadeFleet& made) {
    const std::vector<std::string> builds{"8120", "it's 8121", "8122\\"};
    const auto from = made.pick(3);
    const auto to = (from + 1 + made.pick(2)) % 3;
    const auto kind = made.pick(7);
    auto filter = randomFilter(made);
    if (kind == 4) filter.measure = Measure::Slope; // is itself the measure
    const bool areProcesses = isOfProcesses(filter.measure);
    const auto stack = areProcesses ? summary::StackKey{} : MadeFleet::key(made.pick(12));
    const auto table = areProcesses || made.pick(2) == 0 ? analysis::Table::Heap : analysis::Table::VirtualAlloc;
    const std::size_t most = made.pick(3) == 0 ? 3 : 100;
    if (!plain.hasRuns(builds[from], filter) || !plain.hasRuns(builds[to], filter)) {
        const auto answer = store.grew({builds[from], builds[to], filter, 1, 0.05, 1}, {});
        const bool isNotFound = !answer.hasValue() && answer.error().kind == ErrorKind::NotFound;
        return isNotFound ? "" : "a build without runs is not refused";
    }
    if (kind < 5 &&
        (!plain.hasNames(filter) || ((kind == 2 || kind == 3) && !areProcesses && !plain.hasStack(stack)))) {
        const auto isNotFound = [](const auto& answer) {
            return !answer.hasValue() && answer.error().kind == ErrorKind::NotFound;
        };
        if (kind == 3) return isNotFound(store.worst({stack, table, filter, {}, 1}, {})) ? "" : "worst of nothing";
        if (kind == 2) return isNotFound(store.history({stack, table, filter}, {})) ? "" : "history of nothing";
        if (kind == 4) return isNotFound(store.slopes(builds[from], filter, 1, {})) ? "" : "slopes of nothing";
        return isNotFound(store.grew({builds[from], builds[to], filter, 1, 0.05, 1}, {})) ? "" : "growth of nothing";
    }
    const bool isOfNothing = kind == 2 ? filter.process.empty() : kind == 1;
    if (areProcesses && isOfNothing) {
        const auto kindOf = [](const auto& answer) { return answer.hasValue() ? ErrorKind::Io : answer.error().kind; };
        const auto found = kind == 1 ? kindOf(store.presence({builds[from], builds[to], filter}, {}))
                                     : kindOf(store.history({stack, table, filter}, {}));
        return found == ErrorKind::Usage ? "" : "a measure of processes was taken for one of stacks";
    }
    switch (kind) {
    case 0: {
        GrewQuestion question{builds[from], builds[to], filter, made.pick(2) == 0 ? 64 * 1024 : 1, 0.05, most};
        return differenceOf("grew", store.grew(question, {}), plain.grew(question));
    }
    case 1: {
        PresenceQuestion question{builds[from],
                                  builds[to],
                                  filter,
                                  made.pick(2) == 0,
                                  made.pick(2) == 0 ? 0.5 : 0.01,
                                  made.pick(2) == 0 ? 0 : 1000,
                                  most};
        return differenceOf("presence", store.presence(question, {}), plain.presence(question));
    }
    case 2: {
        HistoryQuestion question{stack, table, filter};
        return differenceOf("history", store.history(question, {}), plain.history(question));
    }
    case 3: {
        WorstQuestion question{stack, table, filter, made.pick(2) == 0 ? "" : builds[from], most};
        return differenceOf("worst", store.worst(question, {}), plain.worst(question));
    }
    case 4:
        return differenceOf("slopes", store.slopes(builds[from], filter, most, {}),
                            plain.slopes(builds[from], filter, most));
    case 5: {
        RunFilter runs{made.pick(2) == 0 ? "" : builds[from], {}, {}, {}};
        return differenceOf("health", store.health(runs, {}), plain.health(runs));
    }
    default: {
        RunFilter runs{made.pick(2) == 0 ? "" : builds[from], made.pick(2) == 0 ? "" : "lab-1", filter.scenario, {}};
        if (made.pick(2) == 0)
            runs.labels = {{"build", builds[to]}};
        else if (made.pick(2) == 0)
            runs.labels = {{"branch", kNastyTexts[made.pick(static_cast<unsigned>(kNastyTexts.size()))]}};
        return differenceOf("runs", store.runs(runs, {}), plain.runs(runs));
    }
    }
}

const std::string& nastyText(MadeFleet& made) {
    return kNastyTexts[made.pick(static_cast<unsigned>(kNastyTexts.size()))];
}

std::string relabelOne(FleetStore& store, summary::RunFacts& facts, const std::string& build, MadeFleet& made) {
    facts.trace = "/elsewhere/" + nastyText(made);
    facts.build = build;
    facts.machine = "lab-" + std::to_string(made.pick(4));
    facts.scenario = made.pick(2) == 0 ? "night" : "day";
    facts.labels.clear();
    if (made.pick(3) > 0) facts.labels = {{"branch", nastyText(made)}, {nastyText(made) + "x", nastyText(made)}};
    const auto changed = store.relabel(facts, {});
    return changed.hasValue() && changed.value() ? "" : "a run cannot be relabelled";
}

/// Some are added again later.
std::string removeOne(FleetStore& store, std::vector<summary::RunSummary>& runs, MadeFleet& made) {
    const auto which = runs.begin() + made.pick(static_cast<unsigned>(runs.size()));
    const auto removed = store.remove(which->facts.run, {});
    if (!removed.hasValue() || !removed.value()) return "a run cannot be taken out";
    const auto again = store.remove(which->facts.run, {});
    if (!again.hasValue() || again.value()) return "a run was taken out twice";
    const auto relabelled = store.relabel(which->facts, {});
    if (!relabelled.hasValue() || relabelled.value()) return "a run that is gone was relabelled";
    if (made.pick(2) == 0) {
        runs.erase(which);
        return {};
    }
    const auto back = store.add(*which, {});
    return back.hasValue() && back.value() == AddOutcome::Added ? "" : "a run that is gone cannot be added";
}

/// The sum of several is roughly normal.
double noise(MadeFleet& made) {
    double sum = 0;
    for (int i = 0; i < 4; ++i)
        sum += static_cast<double>(made.pick(2001)) / 1000 - 1;
    return sum / 2;
}

} // namespace

std::string askEverything(FleetStore& store, unsigned seed, unsigned runCount, unsigned questions) {
    MadeFleet made(seed);
    const std::vector<std::string> builds{"8120", "it's 8121", "8122\\"};
    std::vector<summary::RunSummary> runs;
    for (unsigned i = 0; i < runCount; ++i) {
        runs.push_back(made.run(builds[i % 3], "lab-" + std::to_string(made.pick(4)), 12));
        // Growth, so that there is something to report.
        if (i % 3 == 2)
            for (auto& sample : runs.back().samples)
                if (sample.stack % 3 == 0) sample.inuseSpace += 2'000'000;
        for (auto& memory : runs.back().facts.resident)
            if (i % 3 == 2 && memory.process == "app.exe") memory.rssPeak += std::int64_t{2000} << 32;
        const auto added = store.add(runs.back(), {});
        if (!added.hasValue()) return added.error().message;
        if (added.value() != AddOutcome::Added) return "a new run was there";
        const auto again = store.add(runs[made.pick(static_cast<unsigned>(runs.size()))], {});
        if (!again.hasValue() || again.value() != AddOutcome::WasThere) return "a run was added twice";
        if (made.pick(4) == 0) {
            auto& facts = runs[made.pick(static_cast<unsigned>(runs.size()))].facts;
            if (auto wrong = relabelOne(store, facts, builds[made.pick(3)], made); !wrong.empty()) return wrong;
        }
        if (runs.size() > 1 && made.pick(5) == 0)
            if (auto wrong = removeOne(store, runs, made); !wrong.empty()) return wrong;
    }
    const PlainAnswers plain(runs);
    for (unsigned i = 0; i < questions; ++i)
        if (const auto difference = askOne(store, plain, made); !difference.empty()) return difference;
    return {};
}

std::string findNewAndGone(FleetStore& store) {
    constexpr unsigned kLeaksSince = 1, kNew = 2, kGone = 3, kMended = 4;
    constexpr std::int64_t kKept = 5000;
    MadeFleet made(4);
    for (const std::string build : {"1", "2"}) {
        const bool isNew = build == "2";
        for (int i = 0; i < 3; ++i) {
            summary::RunSummary run;
            run.facts.run = made.name();
            run.facts.build = build;
            run.facts.machine = "lab-" + std::to_string(i);
            run.processes = {"app.exe"};
            run.windows = {{summary::WindowKind::Whole, "whole", 0, 60'000'000'000}};
            const auto add = [&](unsigned stack, std::int64_t kept) {
                MadeFleet::addStack(run, stack);
                summary::Sample sample;
                sample.stack = static_cast<std::uint32_t>(run.stacks.size() - 1);
                sample.allocSpace = 64'000;
                sample.allocObjects = 2000;
                sample.inuseSpace = kept;
                run.samples.push_back(sample);
            };
            add(kLeaksSince, isNew ? kKept : 0);
            add(kMended, isNew ? 0 : kKept);
            add(isNew ? kNew : kGone, kKept);
            if (const auto added = store.add(run, {}); !added.hasValue()) return added.error().message;
        }
    }
    for (const bool isGone : {false, true}) {
        PresenceQuestion question{"1", "2", {}, isGone};
        const auto answer = store.presence(question, {});
        if (!answer.hasValue()) return answer.error().message;
        std::vector<std::string> found;
        for (const auto& row : answer.value().rows)
            found.push_back(row.stack.owner);
        const std::vector<std::string> wanted{MadeFleet::function(isGone ? kGone : kNew)};
        if (found != wanted)
            return fmt::format("{} {} instead of {}", fmt::join(found, ", "), isGone ? "gone" : "new", wanted.front());
        if (answer.value().tested != 2) return fmt::format("{} tested instead of 2", answer.value().tested);
    }
    return {};
}

std::string findPlanted(FleetStore& store, const PlantedFleet& fleet) {
    MadeFleet made(21);
    std::vector<std::int64_t> sizes;
    for (unsigned i = 0; i < fleet.stacks; ++i)
        sizes.push_back(static_cast<std::int64_t>(std::exp2(14 + static_cast<double>(made.pick(800)) / 100)));
    for (std::size_t i = 0; i < fleet.grown.size(); ++i)
        sizes[fleet.grown[i]] = static_cast<std::int64_t>(64 - 10 * i) << 20;
    summary::RunSummary run;
    run.processes = {"app.exe"};
    run.windows = {{summary::WindowKind::Whole, "whole", 0, 60'000'000'000}};
    for (unsigned i = 0; i < fleet.stacks; ++i)
        MadeFleet::addStack(run, i);
    for (unsigned machine = 0; machine < fleet.machines; ++machine) {
        const auto ofMachine = 1 + 0.15 * noise(made);
        for (unsigned number = 0; number < fleet.runsOfMachine; ++number) {
            const bool isNew = number % 2 == 1;
            run.facts.run = made.name();
            run.facts.build = isNew ? "8123" : "8120";
            run.facts.machine = "lab-" + std::to_string(machine);
            run.samples.clear();
            for (unsigned i = 0; i < fleet.stacks; ++i) {
                if (made.pick(50) == 0) continue; // not every run has every stack
                auto value = static_cast<double>(sizes[i]) * ofMachine * (1 + 0.10 * noise(made));
                if (isNew && std::ranges::count(fleet.grown, i) > 0) value *= 1.15;
                const auto size = static_cast<std::int64_t>(value);
                run.samples.push_back({0, 0, i, analysis::Table::Heap, size * 3, size / 100, size, size / 300, size * 2,
                                       size, size / 2, size / 50,
                                       static_cast<std::int64_t>(made.pick(1'000'000)) * 60'000,
                                       60'000'000'000 - made.pick(1'000'000)});
            }
            if (const auto added = store.add(run, {}); !added.hasValue()) return added.error().message;
        }
    }
    GrewQuestion question;
    question.fromBuild = "8120";
    question.toBuild = "8123";
    const auto answer = store.grew(question, {});
    if (!answer.hasValue()) return answer.error().message;
    std::vector<std::string> wanted, found;
    for (const auto stack : fleet.grown)
        wanted.push_back(MadeFleet::function(stack));
    for (const auto& row : answer.value().rows)
        found.push_back(row.stack.owner);
    if (found == wanted) return {};
    return fmt::format("found {} of {} tested instead of {}", fmt::join(found, ", "), answer.value().tested,
                       fmt::join(wanted, ", "));
}

} // namespace highwater::tests
