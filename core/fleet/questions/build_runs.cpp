#include "core/fleet/questions/build_runs.h"

#include "core/fleet/contract/build_order.h"
#include "core/fleet/questions/stored_facts.h"
#include "core/statistics/noise.h"

#include <algorithm>
#include <map>

namespace highwater::fleet {
namespace {

std::vector<std::int64_t> joined(std::span<const std::vector<std::int64_t>> builds) {
    std::vector<std::int64_t> all;
    for (const auto& build : builds)
        all.insert(all.end(), build.begin(), build.end());
    return all;
}

/// A build and the earlier builds that it is compared with.
struct Step {
    std::size_t at = 0;
    double p = 2; ///< 2: too few runs for ranks
    bool isApart = false;
};

Step stepOf(std::size_t at, const std::vector<std::int64_t>& before, const std::vector<std::int64_t>& own) {
    Step step{at, 2, false};
    // With one run of each build, the variation between runs is unknown.
    step.isApart = before.size() + own.size() > 2 && differsFromNoise(before, own);
    if (std::min(before.size(), own.size()) >= kEnoughForRanks) step.p = probabilityByRanks(before, own);
    return step;
}

/// The first significant step among all of them that `isWanted` accepts.
template <typename IsWanted>
std::optional<std::size_t> firstReported(const std::vector<Step>& steps, const IsWanted& isWanted) {
    std::vector<double> probabilities;
    for (const auto& step : steps)
        probabilities.push_back(std::min(step.p, 1.0));
    const auto told = highestSignificant(probabilities, kFalseShare);
    for (const auto& step : steps)
        if ((step.isApart || step.p <= told) && isWanted(step.at)) return step.at;
    return std::nullopt;
}

} // namespace

std::vector<BuildValue> buildsInOrder(const std::vector<StoredRun>& runs) {
    BuildOrder order;
    for (const auto& run : runs)
        order.add(run.row.facts);
    return order.builds();
}

BuildRuns::BuildRuns(const std::vector<StoredRun>& runs, const std::string& build) { collect(runs, build, nullptr); }
BuildRuns::BuildRuns(const std::vector<StoredRun>& runs, const std::string& build, const RunNumbers& counted) {
    collect(runs, build, &counted);
}

void BuildRuns::collect(const std::vector<StoredRun>& runs, const std::string& build, const RunNumbers* counted) {
    std::map<std::string, std::vector<std::size_t>> byMachine;
    std::size_t count = 0;
    for (const auto& run : runs) {
        if (run.row.facts.build != build || (counted != nullptr && !counted->contains(run.number))) continue;
        byMachine[run.row.facts.machine].push_back(count);
        notWhole_ += run.row.facts.isWhole ? 0 : 1;
        places_.emplace(run.number, count++);
    }
    values_.resize(count);
    for (auto& [machine, ofMachine] : byMachine) {
        machines_.push_back(machine);
        runsOfMachine_.push_back(std::move(ofMachine));
    }
}

void BuildRuns::clear() { std::ranges::fill(values_, 0); }

void BuildRuns::add(std::uint64_t run, std::int64_t value) {
    if (const auto place = places_.find(run); place != places_.end())
        values_[place->second] = addWithin(values_[place->second], value);
}

std::size_t BuildRuns::take(std::span<const RunValue> values) {
    clear();
    std::size_t taken = 0;
    for (const auto& [run, value] : values) {
        const auto place = places_.find(run);
        if (place == places_.end()) continue;
        values_[place->second] = value;
        ++taken;
    }
    return taken;
}

Side BuildRuns::side() const {
    Side side{values_.size(), machines_.size(), 0, 0, 0};
    std::vector<std::int64_t> medians, ofMachine;
    for (const auto& runs : runsOfMachine_) {
        ofMachine.clear();
        for (const auto run : runs)
            ofMachine.push_back(values_[run]);
        side.machinesWith += std::ranges::any_of(ofMachine, [](auto value) { return value != 0; }) ? 1 : 0;
        medians.push_back(medianOf(ofMachine));
    }
    if (medians.empty()) return side;
    side.median = medianOf(medians);
    std::ranges::sort(medians);
    side.p95 = medians[(medians.size() * 95 + 99) / 100 - 1];
    return side;
}

std::optional<std::size_t> firstHigherBuild(const ValuesOfBuilds& builds, Measure measure) {
    constexpr std::int64_t kShareOfHighest = 10;
    std::vector<Step> steps;
    std::vector<std::int64_t> rises(std::min<std::size_t>(builds.size(), 1)), leastRises(rises);
    for (std::size_t at = 1; at < builds.size(); ++at) {
        const auto before = joined(std::span(builds).first(at));
        steps.push_back(stepOf(at, before, builds[at]));
        rises.push_back(addWithin(medianOf(builds[at]), -std::max(medianOf(before), -INT64_MAX)));
        leastRises.push_back(leastRise(measure, medianOf(before)));
    }
    if (rises.empty()) return std::nullopt;
    // Slow growth by small steps is not a regression.
    const auto enough = std::max(usualLeast(measure), *std::ranges::max_element(rises) / kShareOfHighest);
    return firstReported(steps, [&](std::size_t at) { return rises[at] >= std::max(enough, leastRises[at]); });
}

std::optional<std::size_t> fixedBuild(const ValuesOfBuilds& builds, std::size_t firstBad) {
    const auto good = joined(std::span(builds).first(firstBad));
    const auto badUntil = [&](std::size_t at) { return joined(std::span(builds).subspan(firstBad, at - firstBad)); };
    std::vector<Step> steps;
    for (auto at = firstBad + 1; at < builds.size(); ++at)
        steps.push_back(stepOf(at, badUntil(at), builds[at]));
    return firstReported(steps, [&](std::size_t at) {
        const auto median = medianOf(builds[at]);
        // A build that is only less bad does not count as a fix.
        const bool isStillHigher = median > medianOf(good) && differsFromNoise(good, builds[at]);
        return median < medianOf(badUntil(at)) && !isStillHigher;
    });
}

} // namespace highwater::fleet
