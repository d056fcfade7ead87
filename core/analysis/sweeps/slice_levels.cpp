#include "core/analysis/sweeps/slice_levels.h"

#include <algorithm>

namespace highwater::analysis {

std::vector<TraceTime> sliceEdges(TimeRange interval, std::uint32_t slices) {
    const auto start = static_cast<std::uint64_t>(interval.start.ns);
    const auto length = interval.isEmpty() ? std::uint64_t{0} : static_cast<std::uint64_t>(interval.end.ns) - start;
    // Divides first, so that no product overflows.
    const auto quotient = length / slices;
    const auto remainder = length % slices;
    std::vector<TraceTime> edges;
    edges.reserve(slices + std::size_t{1});
    for (std::uint64_t i = 0; i <= slices; ++i) {
        edges.push_back(TraceTime{static_cast<std::int64_t>(start + quotient * i + remainder * i / slices)});
    }
    return edges;
}

SliceLevels::SliceLevels(std::span<const TraceTime> edges, std::size_t groups, Times times)
    : edges_(edges), groups_(groups), times_(times) {
    for (auto& group : groups_) {
        group.values.resize(edges.size() - 1);
        if (times == Times::Kept) group.times.resize(edges.size() - 1);
    }
}

void SliceLevels::fill(Group& group, std::size_t slices) const {
    for (; group.filled < slices; ++group.filled) {
        group.values[group.filled] = static_cast<SignedByteCount>(group.level);
        if (times_ == Times::Kept) group.times[group.filled] = edges_[group.filled];
    }
}

void SliceLevels::change(TraceTime time, std::uint32_t number, std::uint64_t delta) {
    while (edges_[slice_ + 1] <= time)
        ++slice_;
    auto& group = groups_[number];
    fill(group, slice_ + 1);
    group.level += delta;
    const auto level = static_cast<SignedByteCount>(group.level);
    if (level <= group.values[slice_]) return;
    group.values[slice_] = level;
    if (times_ == Times::Kept) group.times[slice_] = time;
}

void SliceLevels::finish() {
    for (auto& group : groups_) {
        fill(group, group.values.size());
    }
}

void SliceLevels::append(const SliceLevels& next, std::size_t first) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        auto& group = groups_[g];
        const auto& later = next.groups_[g];
        for (std::size_t i = 0; i < later.values.size(); ++i) {
            group.values[first + i] =
                static_cast<SignedByteCount>(group.level + static_cast<std::uint64_t>(later.values[i]));
        }
        std::copy(later.times.begin(), later.times.end(), group.times.begin() + static_cast<std::ptrdiff_t>(first));
        group.filled = first + later.values.size();
        group.level += later.level;
    }
}

TraceTime SliceLevels::timeOfHighest(std::uint32_t number) const {
    const auto& group = groups_[number];
    return group.times[static_cast<std::size_t>(std::max_element(group.values.begin(), group.values.end()) -
                                                group.values.begin())];
}

void SliceLevels::add(TraceTime time, std::uint32_t number, std::uint64_t amount) {
    const auto after = std::upper_bound(edges_.begin(), edges_.end(), time);
    auto& value = groups_[number].values[static_cast<std::size_t>(after - edges_.begin()) - 1];
    value = static_cast<SignedByteCount>(static_cast<std::uint64_t>(value) + amount);
}

} // namespace highwater::analysis
