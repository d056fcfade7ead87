#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/event/memory_events.h"

#include <cstddef>
#include <cstdint>

namespace highwater {

/// Who asked for a snapshot.
enum class SnapshotOrigin : std::uint8_t {
    Asked,    ///< somebody, by a button or a signal
    Periodic, ///< the recorder, every so many seconds
    Growth,   ///< the recorder, because so much had been added
    Windows,  ///< Windows' own heap snapshots
    Count_,
};

/// A snapshot of all recorded processes, not of one.
inline constexpr std::uint32_t kAllProcesses = 0xFFFFFFFF;
/// How many snapshots a trace has at most; those that come later are left out and counted.
inline constexpr std::size_t kMostSnapshots = 1000;

/// What is outstanding at this instant is an instance of the table Heap Snapshot.
struct SnapshotTaken {
    std::uint32_t number = 0; ///< from 1, ascending; the store gives others to those that are not
    TraceTime time;
    std::uint32_t pid = kAllProcesses;
    SnapshotOrigin origin = SnapshotOrigin::Asked;
    /// False: its blocks are those of the trace's allocations that are outstanding then. True: they are only those
    /// that onSnapshotBlock() tells; the trace need not have seen them being allocated.
    bool hasOwnBlocks = false;
    /// It was made of an instant that had passed: after all others, whatever its time.
    bool isLate = false;
};

/// A block that a snapshot says is there. Comes after its SnapshotTaken, in any order with those of other snapshots.
struct SnapshotBlock {
    std::uint32_t snapshot = 0; ///< the number that SnapshotTaken had, the newest of that number
    std::uint32_t pid = 0;
    Address heap = 0;
    Address address = 0;
    ByteCount size = 0;
    ThreadId tid{ThreadId::kUnknown}; ///< that allocated it
    EventStack stack;                 ///< that allocated it
};

} // namespace highwater
