#include "core/fleet/questions/question_notes.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/statistics/noise.h"
#include "core/summary/stack_key.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace highwater::fleet {
namespace {

constexpr std::size_t kMostNamed = 10;

std::string nameOf(const std::string& text) { return text.empty() ? "without a name" : printable(text); }

/// The first names, in alphabetical order.
std::string namesOf(const std::set<std::string>& all) {
    std::vector<std::string> names;
    for (const auto& name : all)
        if (names.size() < kMostNamed) names.push_back(nameOf(name));
    const auto more = all.size() - names.size();
    return fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

void noteLosses(std::vector<std::string>& notes, const std::string& build, const BuildRuns& runs) {
    if (runs.runsNotWhole() > 0)
        notes.push_back(fmt::format("{} of {} of build {} {} totals are bounds.", runs.runsNotWhole(),
                                    counted(runs.size(), "run"), nameOf(build),
                                    byNumber(runs.runsNotWhole(), "lacks events, so its", "lack events, so their")));
}

} // namespace

std::string runsOfText(const std::string& build, const SampleFilter& filter) {
    auto text = fmt::format("build {}", nameOf(build));
    if (!filter.machine.empty()) text += fmt::format(" on machine {}", nameOf(filter.machine));
    if (!filter.scenario.empty()) text += fmt::format(" in scenario {}", nameOf(filter.scenario));
    return text;
}

Error noRuns(const std::string& build, const SampleFilter& filter, const std::vector<StoredRun>& all) {
    auto builds = buildsInOrder(all);
    if (builds.empty())
        return {ErrorKind::NotFound, "The fleet has no runs yet. Add runs with highwater-cli fleet add."};
    std::vector<std::string> names;
    for (auto i = builds.size(); i-- > 0 && names.size() < kMostNamed;) // newest first
        names.push_back(nameOf(builds[i].build));
    const auto more = builds.size() - names.size();
    return {ErrorKind::NotFound,
            fmt::format("No runs found for {}. Builds with runs, newest first: {}{}.", runsOfText(build, filter),
                        fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "")};
}

Error noWindow(const std::string& window, const std::set<std::string>& all) {
    return {ErrorKind::NotFound,
            fmt::format("No run has a window {}. Available windows: {}.", nameOf(window), namesOf(all))};
}
Error noProcess(const std::string& process, const std::set<std::string>& all) {
    return {ErrorKind::NotFound,
            fmt::format("No run has a process {}. Available processes: {}.", nameOf(process), namesOf(all))};
}
Error noStack(const summary::StackKey& key) {
    return {ErrorKind::NotFound,
            fmt::format("The fleet has no stack {}. Use grew, new, gone or slope to list the keys of its stacks.",
                        summary::text(key))};
}

std::vector<std::string> comparisonNotes(const std::vector<StoredRun>& runs, const std::string& fromBuild,
                                         const std::string& toBuild) {
    const BuildRuns from(runs, fromBuild), to(runs, toBuild);
    std::vector<std::string> notes;
    const auto least = std::min(from.size(), to.size());
    if (from.size() + to.size() < 3)
        notes.push_back("Each build has only one run, so changes cannot be distinguished from noise. Add more runs.");
    else if (least < kEnoughForRanks)
        notes.push_back(fmt::format("{} of build {} and {} of build {}: with fewer than {} runs on a side, only large "
                                    "differences are shown.",
                                    counted(from.size(), "run"), nameOf(fromBuild), counted(to.size(), "run"),
                                    nameOf(toBuild), kEnoughForRanks));
    noteLosses(notes, fromBuild, from);
    noteLosses(notes, toBuild, to);
    std::vector<std::string> shared;
    std::ranges::set_intersection(from.machines(), to.machines(), std::back_inserter(shared));
    if (shared.empty()) notes.push_back("The builds ran on different machines, which may explain differences.");
    std::set<std::string> scenarios;
    for (const auto& run : runs)
        if (run.row.facts.build == fromBuild || run.row.facts.build == toBuild)
            scenarios.insert(run.row.facts.scenario);
    if (scenarios.size() > 1)
        notes.push_back(fmt::format("Runs of {} scenarios are compared together ({}). Select one of them to compare "
                                    "like with like.",
                                    scenarios.size(), namesOf(scenarios)));
    return notes;
}

void noteProcessesOfOne(std::vector<std::string>& notes, const std::string& build,
                        const std::vector<std::string>& processes, Measure measure) {
    if (processes.empty()) return;
    notes.push_back(
        fmt::format(fmt::runtime(isOfProcesses(measure) ? "Processes with values only in build {} are not compared: {}."
                                                        : "Processes only in build {} are not compared: {}."),
                    nameOf(build), namesOf({processes.begin(), processes.end()})));
}

void noteUnknown(std::vector<std::string>& notes, const std::string& build, Measure measure, std::size_t unknown,
                 std::size_t all) {
    if (unknown == 0) return;
    notes.push_back(fmt::format("{} of {} of build {} {} not compared because {} without samples of resident memory{}.",
                                unknown, counted(all, "run"), nameOf(build), byPart(unknown, all, "is", "are"),
                                byNumber(unknown, "it is", "they are"),
                                measure == Measure::Held ? " or without heap blocks" : ""));
}

void noteWithoutNames(std::vector<std::string>& notes, std::size_t withoutNames, std::size_t stacks) {
    if (withoutNames > 0)
        notes.push_back(fmt::format("{} of {} {} functions without names. Their addresses change with each build, so "
                                    "these stacks can be compared only with symbols.",
                                    thousands(withoutNames), counted(stacks, "stack"),
                                    byNumber(withoutNames, "has", "have")));
}

} // namespace highwater::fleet
