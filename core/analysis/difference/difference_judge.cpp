#include "core/analysis/difference/difference_impl.h"
#include "core/analysis/difference/difference_peaks.h"

#include <functional>

namespace highwater::analysis {

std::vector<std::int64_t> Difference::Impl::values(const DifferenceEntries& of, EntryRange range,
                                                   Measure measure) const {
    if (measure == Measure::PeakSize) {
        const auto& known = &of == &tree ? peaks : peaksOfOwners;
        const auto found = known.find(range);
        return found == known.end() ? std::vector<std::int64_t>(traces) : found->second;
    }
    std::vector<std::int64_t> values;
    for (std::size_t trace = 0; trace < traces; ++trace) {
        const auto sums = of.sums(range, trace);
        const auto value = measure == Measure::Outstanding     ? sums.opening + sums.impacting
                           : measure == Measure::Count         ? sums.count
                           : measure == Measure::Size          ? sums.size
                           : measure == Measure::ImpactingSize ? sums.impacting
                                                               : sums.allocated;
        values.push_back(static_cast<std::int64_t>(value));
    }
    return values;
}

Change Difference::Impl::changeOf(const std::vector<std::int64_t>& values) const {
    const auto before = sideOf(values, Side::Before);
    const auto after = sideOf(values, Side::After);
    return {medianOf({before.begin(), before.end()}), medianOf({after.begin(), after.end()})};
}

bool Difference::Impl::isSignificant(const std::vector<std::int64_t>& values, double probability) const {
    const auto before = sideOf(values, Side::Before);
    const auto after = sideOf(values, Side::After);
    if (values.size() == 2) return true; // the natural variation is unknown
    return differsFromNoise(before, after) || (hasEnoughForRanks() && probabilityByRanks(before, after) <= probability);
}

DifferenceState Difference::Impl::stateOf(const std::vector<std::int64_t>& values,
                                          const std::vector<std::int64_t>& counts, double probability) const {
    const auto change = changeOf(values);
    const auto rows = changeOf(counts);
    const bool isSmall = magnitude(change.delta()) < query.smallest;
    const bool isOneEmpty = (rows.before == 0) != (rows.after == 0);
    if (isSmall || (change.delta() == 0 && !isOneEmpty)) {
        const bool isEqual = std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
        return isEqual || values.size() == 2 || isSmall ? DifferenceState::Same : DifferenceState::Noise;
    }
    if (!isSignificant(change.delta() == 0 ? counts : values, probability)) return DifferenceState::Noise;
    if (isOneEmpty) return rows.before == 0 ? DifferenceState::New : DifferenceState::Gone;
    return change.delta() > 0 ? DifferenceState::Grown : DifferenceState::Shrunk;
}

double Difference::Impl::limitOf(const DifferenceEntries& of, const std::vector<EntryRange>& groups) const {
    if (!hasEnoughForRanks()) return -1;
    std::vector<double> probabilities;
    for (const auto group : groups) {
        const auto ofGroup = values(of, group, query.decides);
        probabilities.push_back(probabilityByRanks(sideOf(ofGroup, Side::Before), sideOf(ofGroup, Side::After)));
    }
    return highestSignificant(std::move(probabilities), kFalseShare);
}

Result<void> Difference::Impl::judge(const std::stop_token& stop) {
    const bool isByPeak = query.decides == Measure::PeakSize;
    if (!hasEnoughForRanks() && !isByPeak) return {};
    const auto groups = tree.differentGroups();
    if (isByPeak) {
        TRY(computePeaks(groups, stop));
    }
    limit = limitOf(tree, groups);
    return {};
}

Result<void> Difference::Impl::judgeOwners(const std::stop_token& stop) {
    std::vector<EntryRange> groups;
    for (const auto process : byOwner.groups(byOwner.all(), 0)) {
        const auto ofProcess = byOwner.groups(process, 1);
        groups.insert(groups.end(), ofProcess.begin(), ofProcess.end());
    }
    if (query.decides == Measure::PeakSize) {
        for (std::uint32_t trace = 0; trace < traces; ++trace) {
            const auto found = peaksOf(byOwner, groups, trace, *selections[trace], stop);
            if (!found) return cancelled();
            for (std::size_t i = 0; i < groups.size(); ++i)
                peaksOfOwners[groups[i]].push_back((*found)[i]);
        }
    }
    const auto probability = limitOf(byOwner, groups);
    for (const auto group : groups) {
        const auto path = byOwner.path(byOwner.of(group).front());
        const auto ofGroup = values(byOwner, group, query.decides);
        owners.push_back({texts.text(placeOfStep(path[0])), texts.text(placeOfStep(path[1])),
                          stateOf(ofGroup, values(byOwner, group, Measure::Count), probability), changeOf(ofGroup)});
    }
    std::stable_sort(owners.begin(), owners.end(), [](const OwnerChange& a, const OwnerChange& b) {
        if (isChange(a.state) != isChange(b.state)) return isChange(a.state);
        return a.change.delta() > b.change.delta();
    });
    return {};
}

Result<void> Difference::Impl::computePeaks(std::vector<EntryRange> ranges, const std::stop_token& stop) {
    std::sort(ranges.begin(), ranges.end());
    ranges.erase(std::unique(ranges.begin(), ranges.end()), ranges.end());
    std::erase_if(ranges, [&](const EntryRange& range) { return peaks.contains(range); });
    if (ranges.empty()) return {};
    std::vector<std::vector<std::int64_t>> ofTraces;
    for (std::uint32_t trace = 0; trace < traces; ++trace) {
        auto found = peaksOf(tree, ranges, trace, *selections[trace], stop);
        if (!found) return cancelled();
        ofTraces.push_back(std::move(*found));
    }
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        for (const auto& ofTrace : ofTraces)
            peaks[ranges[i]].push_back(ofTrace[i]);
    }
    return {};
}

void Difference::Impl::sortChildren(std::vector<NodeId>& children) const {
    struct Place {
        NodeId node = 0;
        bool isChanged = false;
        std::int64_t delta = 0;
        std::int64_t larger = 0; ///< larger value of both sides
        std::string text;
    };
    std::vector<Place> places;
    for (const auto child : children) {
        const auto& node = nodes[child];
        const auto ofNode = values(node.range, query.decides);
        const auto state = stateOf(ofNode, values(node.range, Measure::Count), limit);
        const auto place = placeOfStep(tree.path(tree.of(node.range).front())[node.depth - 1]);
        const auto change = changeOf(ofNode);
        places.push_back(
            {child, isChange(state), change.delta(), std::max(change.before, change.after), texts.text(place)});
    }
    std::stable_sort(places.begin(), places.end(), [&](const Place& a, const Place& b) {
        if (a.isChanged != b.isChanged) return a.isChanged;
        if (a.delta != b.delta) return query.isRising ? a.delta < b.delta : a.delta > b.delta;
        if (a.larger != b.larger) return a.larger > b.larger;
        return a.text < b.text;
    });
    std::transform(places.begin(), places.end(), children.begin(), [](const Place& place) { return place.node; });
}

} // namespace highwater::analysis
