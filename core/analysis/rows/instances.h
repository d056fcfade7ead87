#pragma once

#include "core/store/published/published_trace.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace highwater::analysis {

/// Instants that become instances in addition to the snapshots of the trace, in the order in which they were specified;
/// null: none.
using SharedInstants = std::shared_ptr<const std::vector<TraceTime>>;

/// An instance in the table Heap Snapshot: a snapshot of the trace, or a specified instant.
struct Instance : store::Snapshot {
    bool isAdded = false;
};

/// The instances of a question.
struct InstanceChoice {
    SharedInstants added = nullptr;
    std::uint32_t only = 0; ///< number of the single instance; 0: all in the interval

    friend bool operator==(const InstanceChoice& a, const InstanceChoice& b) {
        const bool isSame = a.added && b.added ? *a.added == *b.added
                                               : (!a.added || a.added->empty()) == (!b.added || b.added->empty());
        return isSame && a.only == b.only;
    }
};

/// All instances of a trace, by number: snapshots keep their numbers, and specified instants follow in their order. At
/// most kMostSnapshots of each.
[[nodiscard]] std::vector<Instance> instancesOf(const store::PublishedTrace& trace, const InstanceChoice& choice);
/// The instances in the interval [t0, t1), by number. If the interval extends to the end of the trace, an instance at
/// this end is included. Instances before the trace or after its end are excluded.
[[nodiscard]] std::vector<Instance> instancesIn(const store::PublishedTrace& trace, const InstanceChoice& choice,
                                                TimeRange interval);

} // namespace highwater::analysis
