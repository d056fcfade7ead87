#include "core/analysis/slice_levels.h"

#include <algorithm>

namespace highwater::analysis {

SliceLevels::SliceLevels(const std::vector<TraceTime>& edges, std::size_t groups) : edges_(edges), groups_(groups) {
    for (auto& group : groups_) {
        group.values.resize(edges.size() - 1);
    }
}

void SliceLevels::fill(Group& group, std::size_t slices) {
    for (; group.filled < slices; ++group.filled) {
        group.values[group.filled] = static_cast<SignedByteCount>(group.level);
    }
}

void SliceLevels::change(TraceTime time, std::uint32_t number, std::uint64_t delta) {
    while (edges_[slice_ + 1] <= time)
        ++slice_;
    auto& group = groups_[number];
    fill(group, slice_ + 1);
    group.level += delta;
    group.values[slice_] = std::max(group.values[slice_], static_cast<SignedByteCount>(group.level));
}

void SliceLevels::add(TraceTime time, std::uint32_t number, std::uint64_t amount) {
    const auto after = std::upper_bound(edges_.begin(), edges_.end(), time);
    auto& value = groups_[number].values[static_cast<std::size_t>(after - edges_.begin()) - 1];
    value = static_cast<SignedByteCount>(static_cast<std::uint64_t>(value) + amount);
}

void SliceLevels::finishLevels() {
    for (auto& group : groups_) {
        fill(group, group.values.size());
    }
}

} // namespace highwater::analysis
