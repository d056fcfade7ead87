#include "core/store/published/processes_by_pid.h"

#include <algorithm>
#include <iterator>

namespace highwater::store {

ProcessesByPid::ProcessesByPid(const ProcessTable& processes) {
    const auto& all = processes.processes();
    for (std::uint32_t i = 0; i < all.size(); ++i)
        ofPid_[all[i].pid].push_back({ProcessIndex{i}, all[i].start});
    for (auto& [pid, instances] : ofPid_) {
        for (auto i = instances.size(); i-- > 1;)
            instances[i - 1].earliest = std::min(instances[i - 1].earliest, instances[i].earliest);
    }
}

std::optional<ProcessIndex> ProcessesByPid::at(std::uint32_t pid, TraceTime time) const {
    const auto found = ofPid_.find(pid);
    if (found == ofPid_.end()) return std::nullopt;
    // Not by the starts themselves, because records of several traces may introduce instances out of order.
    const auto& instances = found->second;
    const auto later = std::ranges::upper_bound(instances, time, {}, &Instance::earliest);
    return later == instances.begin() ? instances.front().index : std::prev(later)->index;
}

} // namespace highwater::store
