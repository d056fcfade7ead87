#include "core/analysis/rows/instances.h"

#include <algorithm>

namespace highwater::analysis {

std::vector<Instance> instancesOf(const store::PublishedTrace& trace, const InstanceChoice& choice) {
    std::vector<Instance> instances;
    if (trace.snapshots) {
        for (const auto& snapshot : *trace.snapshots)
            instances.push_back({snapshot, false});
    }
    if (!choice.added) return instances;
    auto number = instances.empty() ? 0 : instances.back().number;
    const auto count = std::min(choice.added->size(), kMostSnapshots);
    for (std::size_t i = 0; i < count; ++i)
        instances.push_back({{++number, (*choice.added)[i], kAllProcesses, SnapshotOrigin::Asked, false}, true});
    return instances;
}

std::vector<Instance> instancesIn(const store::PublishedTrace& trace, const InstanceChoice& choice,
                                  TimeRange interval) {
    auto instances = instancesOf(trace, choice);
    const auto whole = trace.wholeRange();
    std::erase_if(instances, [&](const Instance& instance) {
        const bool isKnown = whole.start <= instance.time && instance.time <= whole.end;
        const bool isBefore = instance.time < interval.start;
        const bool isBehind =
            instance.time >= interval.end && !(instance.time == whole.end && interval.end >= whole.end);
        return !isKnown || isBefore || isBehind || (choice.only != 0 && instance.number != choice.only);
    });
    return instances;
}

} // namespace highwater::analysis
