#pragma once

#include "core/store/published/published_trace.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace highwater::analysis {

/// Instants that are made instances beside the snapshots of the trace, in the order in which they were named; null:
/// none.
using SharedInstants = std::shared_ptr<const std::vector<TraceTime>>;

/// An instance of the table Heap Snapshot: a snapshot of the trace, or an instant that was named.
struct Instance : store::Snapshot {
    bool isAdded = false;
};

/// Which instances a question is about.
struct InstanceChoice {
    SharedInstants added = nullptr;
    std::uint32_t only = 0; ///< the number of the one; 0: all of the interval

    friend bool operator==(const InstanceChoice& a, const InstanceChoice& b) {
        const bool isSame = a.added && b.added ? *a.added == *b.added
                                               : (!a.added || a.added->empty()) == (!b.added || b.added->empty());
        return isSame && a.only == b.only;
    }
};

/// All of a trace, by number: its snapshots keep theirs, instants that were named follow in their order. At most
/// kMostSnapshots of each.
[[nodiscard]] std::vector<Instance> instancesOf(const store::PublishedTrace& trace, const InstanceChoice& choice);
/// Those that lie in the interval [t0, t1), by number; one at the end of what is known does, too, where the interval
/// reaches so far. None that lies before the trace or behind what is known.
[[nodiscard]] std::vector<Instance> instancesIn(const store::PublishedTrace& trace, const InstanceChoice& choice,
                                                TimeRange interval);

} // namespace highwater::analysis
