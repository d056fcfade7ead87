#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/event/memory_events.h"

#include <cstddef>
#include <cstdint>

namespace highwater {

/// The reason for a snapshot.
enum class SnapshotOrigin : std::uint8_t {
    Asked,    ///< requested by a button or a signal
    Periodic, ///< taken by the recorder at regular intervals
    Growth,   ///< taken by the recorder after a given growth
    Windows,  ///< Windows' own heap snapshots
    Count_,
};

/// A snapshot of all recorded processes instead of a single one.
inline constexpr std::uint32_t kAllProcesses = 0xFFFFFFFF;
/// The maximum number of snapshots per trace. Later snapshots are left out and counted.
inline constexpr std::size_t kMostSnapshots = 1000;

/// A snapshot. The allocations outstanding at this instant form an instance of the table Heap Snapshot.
struct SnapshotTaken {
    std::uint32_t number = 0; ///< from 1, ascending; the store renumbers the others
    TraceTime time;
    std::uint32_t pid = kAllProcesses;
    SnapshotOrigin origin = SnapshotOrigin::Asked;
    /// False: its blocks are the allocations of the trace that are outstanding at this instant. True: its blocks are
    /// exactly those that onSnapshotBlock() reports, even if the trace does not contain their allocations.
    bool hasOwnBlocks = false;
    /// Taken for an instant in the past: delivered after all others, regardless of its time.
    bool isLate = false;
};

/// A block in a snapshot. Follows its SnapshotTaken, in any order relative to blocks of other snapshots.
struct SnapshotBlock {
    std::uint32_t snapshot = 0; ///< the number of its SnapshotTaken; if reused, the newest one
    std::uint32_t pid = 0;
    Address heap = 0;
    Address address = 0;
    ByteCount size = 0;
    ThreadId tid{ThreadId::kUnknown}; ///< the allocating thread
    EventStack stack;                 ///< the allocation stack
};

} // namespace highwater
