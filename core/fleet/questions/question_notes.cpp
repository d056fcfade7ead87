#include "core/fleet/questions/question_notes.h"

#include "core/base/text.h"
#include "core/statistics/noise.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace highwater::fleet {
namespace {

constexpr std::size_t kMostNamed = 10;

std::string countOfRuns(std::size_t count) { return count == 1 ? "1 run" : fmt::format("{} runs", count); }
std::string nameOf(const std::string& text) { return text.empty() ? "without a name" : printable(text); }

void noteLosses(std::vector<std::string>& notes, const std::string& build, const BuildRuns& runs) {
    if (runs.runsNotWhole() > 0)
        notes.push_back(fmt::format("{} of {} of build {} lack events: their totals are bounds.", runs.runsNotWhole(),
                                    countOfRuns(runs.size()), nameOf(build)));
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
    if (builds.empty()) return {ErrorKind::NotFound, "The fleet has no runs yet: highwater-cli fleet add adds some."};
    std::vector<std::string> names;
    for (auto i = builds.size(); i-- > 0 && names.size() < kMostNamed;) // the newest
        names.push_back(nameOf(builds[i].build));
    const auto more = builds.size() - names.size();
    return {ErrorKind::NotFound, fmt::format("There are no runs of {}. Builds that have runs, the newest first: {}{}.",
                                             runsOfText(build, filter), fmt::join(names, ", "),
                                             more > 0 ? fmt::format(" and {} more", more) : "")};
}

std::vector<std::string> comparisonNotes(const std::string& fromBuild, const BuildRuns& from,
                                         const std::string& toBuild, const BuildRuns& to) {
    std::vector<std::string> notes;
    const auto least = std::min(from.size(), to.size());
    if (from.size() + to.size() < 3)
        notes.push_back("One run of each build: nothing can be told from noise. Add more runs.");
    else if (least < kEnoughForRanks)
        notes.push_back(fmt::format(
            "{} of build {} and {} of build {}: with fewer than {} on a side only what lies far "
            "apart is told.",
            countOfRuns(from.size()), nameOf(fromBuild), countOfRuns(to.size()), nameOf(toBuild), kEnoughForRanks));
    noteLosses(notes, fromBuild, from);
    noteLosses(notes, toBuild, to);
    std::vector<std::string> shared;
    std::ranges::set_intersection(from.machines(), to.machines(), std::back_inserter(shared));
    if (shared.empty()) notes.push_back("The builds ran on different machines: what differs may be the machines.");
    return notes;
}

} // namespace highwater::fleet
