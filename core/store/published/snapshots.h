#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/event/snapshot_events.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace highwater::store {

/// An instance of the table Heap Snapshot: what is outstanding at an instant.
struct Snapshot {
    std::uint32_t number = 0; ///< from 1, and higher than that of the one before
    TraceTime time;
    std::uint32_t pid = kAllProcesses;
    SnapshotOrigin origin = SnapshotOrigin::Asked;
    /// False: its blocks are the rows of Heap Allocations that are outstanding then. True: the SnapshotBlockRows of its
    /// number.
    bool hasOwnBlocks = false;
    friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

/// Snapshots in the order of their numbers, which is that of time but for those at the end that were made afterwards.
using SharedSnapshots = std::shared_ptr<const std::vector<Snapshot>>;

/// A block that a snapshot says is there, whether its allocation was seen or not.
struct SnapshotBlockRow {
    Address address = 0;
    ByteCount size = 0;
    std::uint32_t snapshot = 0; ///< its number
    SiteId site;                ///< of TraceNames::heapSites
    std::uint64_t reserved = 0;
};
static_assert(sizeof(SnapshotBlockRow) == 32);

} // namespace highwater::store
