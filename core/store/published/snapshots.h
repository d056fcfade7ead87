#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/event/snapshot_events.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace highwater::store {

/// An instance of the table Heap Snapshot: the blocks outstanding at an instant.
struct Snapshot {
    std::uint32_t number = 0; ///< starts at 1 and is higher than that of the previous snapshot
    TraceTime time;
    std::uint32_t pid = kAllProcesses;
    SnapshotOrigin origin = SnapshotOrigin::Asked;
    /// False: its blocks are the rows of Heap Allocations outstanding at that time. True: its blocks are the
    /// SnapshotBlockRows with its number.
    bool hasOwnBlocks = false;
    friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

/// Snapshots by number, which is also the order of time except for those at the end that were taken afterwards.
using SharedSnapshots = std::shared_ptr<const std::vector<Snapshot>>;

/// A block listed by a snapshot, whether or not its allocation was recorded.
struct SnapshotBlockRow {
    Address address = 0;
    ByteCount size = 0;
    std::uint32_t snapshot = 0; ///< number of the snapshot
    SiteId site;                ///< in TraceNames::heapSites
    std::uint64_t reserved = 0;
};
static_assert(sizeof(SnapshotBlockRow) == 32);

} // namespace highwater::store
