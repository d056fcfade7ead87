#include "core/fleet/questions/comparisons.h"

#include "core/fleet/questions/question_notes.h"
#include "core/statistics/noise.h"

#include <algorithm>

namespace highwater::fleet {
namespace {

/// The difference of signed numbers, limited to their range.
std::int64_t saturatedDifference(std::int64_t a, std::int64_t b) {
    std::int64_t difference = 0;
    if (!__builtin_sub_overflow(a, b, &difference)) return difference;
    return a < 0 ? INT64_MIN : INT64_MAX;
}

} // namespace

FleetStack stackOf(const StackPlace& place) { return {place.key, place.table, place.process, {}, {}}; }

GrownStack Comparison::rowOf(const StackPlace& place) const {
    GrownStack row{stackOf(place), from.side(), to.side(), 0, 1};
    row.growth = saturatedDifference(row.to.median, row.from.median);
    return row;
}

double Comparison::probability() const { return probabilityByRanks(from.values(), to.values()); }

std::int64_t Comparison::span() const {
    const auto [low, high] = std::ranges::minmax(from.values());
    const auto [lowTo, highTo] = std::ranges::minmax(to.values());
    return saturatedDifference(std::max(high, highTo), std::min(low, lowTo));
}

bool Comparison::hasEnoughForRanks() const { return std::min(from.size(), to.size()) >= kEnoughForRanks; }

bool Comparison::isApart() const { return canTell() && differsFromNoise(from.values(), to.values()); }

Comparisons::Comparisons(const std::vector<StoredRun>& runs, const std::string& fromBuild, const std::string& toBuild,
                         const SampleFilter& filter, const RunsOfProcesses& processes,
                         const std::vector<summary::StackKey>& unnamed)
    : measure_(filter.measure), unnamed_(unnamed.begin(), unnamed.end()) {
    for (const auto& [process, counted] : processes)
        if (filter.process.empty() || process == filter.process)
            ofProcesses_.try_emplace(process, runs, fromBuild, toBuild, counted);
}

Comparison* Comparisons::of(const std::string& process) {
    const auto found = ofProcesses_.find(process);
    return found == ofProcesses_.end() || !found->second.hasBoth() ? nullptr : &found->second;
}

void Comparisons::countTested(const summary::StackKey& key) {
    ++tested_;
    withoutNames_ += unnamed_.contains(key) ? 1 : 0;
}

void Comparisons::describe(GrewAnswer& answer, const std::string& fromBuild, const std::string& toBuild) const {
    std::vector<std::string> fromAlone, toAlone;
    for (const auto& [process, comparison] : ofProcesses_) {
        answer.canTell = answer.canTell || comparison.canTell();
        if (comparison.from.size() > 0 && comparison.to.size() == 0) fromAlone.push_back(process);
        if (comparison.from.size() == 0 && comparison.to.size() > 0) toAlone.push_back(process);
    }
    answer.tested = tested_;
    noteProcessesOfOne(answer.notes, fromBuild, fromAlone, measure_);
    noteProcessesOfOne(answer.notes, toBuild, toAlone, measure_);
    noteWithoutNames(answer.notes, withoutNames_, tested_);
}

} // namespace highwater::fleet
