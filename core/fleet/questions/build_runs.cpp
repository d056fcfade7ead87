#include "core/fleet/questions/build_runs.h"

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

/// A place between two builds, before which things may have been better.
struct Split {
    std::size_t at = 0;
    double p = 1;
    bool isApart = false;
    bool isHigher = false; ///< in the median of all, and of each build behind it
};

Split splitOf(const std::vector<std::vector<std::int64_t>>& builds, std::size_t at) {
    const auto before = joined(std::span(builds).first(at));
    const auto after = joined(std::span(builds).subspan(at));
    const auto low = medianOf(before);
    Split split{at, 1, standsApart(before, after), medianOf(after) > low};
    for (auto i = at; i < builds.size(); ++i)
        split.isHigher = split.isHigher && medianOf(builds[i]) > low;
    // One run of each build says nothing of what changes from run to run.
    if (before.size() + after.size() < 3) split.isApart = false;
    if (std::min(before.size(), after.size()) >= kEnoughForRanks) split.p = probabilityByRanks(before, after);
    return split;
}

} // namespace

BuildRuns::BuildRuns(const std::vector<StoredRun>& runs, const std::string& build) {
    std::map<std::string, std::vector<std::size_t>> byMachine;
    std::size_t count = 0;
    for (const auto& run : runs) {
        if (run.row.facts.build != build) continue;
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

std::vector<BuildValue> buildsInOrder(const std::vector<StoredRun>& runs) {
    std::map<std::string, std::optional<std::int64_t>> builds;
    for (const auto& run : runs) {
        auto& first = builds[run.row.facts.build];
        const auto& at = run.row.facts.recordedAt;
        if (at && (!first || *at < *first)) first = at;
    }
    std::vector<BuildValue> inOrder;
    for (const auto& [build, first] : builds)
        inOrder.push_back({build, first, {}});
    std::ranges::stable_sort(inOrder, [](const auto& a, const auto& b) {
        if (!a.firstRecordedAt || !b.firstRecordedAt) return a.firstRecordedAt.has_value() && !b.firstRecordedAt;
        return *a.firstRecordedAt < *b.firstRecordedAt;
    });
    return inOrder;
}

std::optional<std::size_t> firstHigherBuild(const std::vector<std::vector<std::int64_t>>& builds) {
    std::vector<Split> splits;
    std::vector<double> probabilities;
    for (std::size_t at = 1; at < builds.size(); ++at) {
        splits.push_back(splitOf(builds, at));
        probabilities.push_back(splits.back().p);
    }
    const auto told = highestTold(probabilities, kFalseShare);
    const Split* best = nullptr;
    for (const auto& split : splits) {
        if (!split.isHigher) continue;
        if (split.isApart) return split.at;
        if (split.p <= told && (best == nullptr || split.p < best->p)) best = &split;
    }
    if (best == nullptr) return std::nullopt;
    return best->at;
}

} // namespace highwater::fleet
