#pragma once

#include "core/event/snapshot_events.h"
#include "core/store/published/published_trace.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace highwater::store {

/// The snapshots of a trace, and the blocks that some of them bring along. Pipeline thread only.
///
/// Numbers become ascending ones: 0, one that is not above that of the snapshot before, and one that is far above it
/// are replaced by the next (traces of several files have numbers twice). Left out and counted: snapshots beyond
/// kMostSnapshots, those of the same number and instant as the one before (a record that stands in a file twice), those
/// before the trace, and blocks of snapshots that are unknown or left out.
class SnapshotBook {
  public:
    void add(const SnapshotTaken& taken);
    /// The last of this instant is none any more, and its number free if it was the last of all. Unknown: nothing.
    void undo(TraceTime time);
    /// The number of the snapshot that a block of this number belongs to; nothing: the block is left out.
    [[nodiscard]] std::optional<std::uint32_t> numberOf(std::uint32_t told);
    void noteDroppedBlock() { ++droppedBlocks_; }
    /// Forgets those before this time. Their blocks stay where they are, and belong to none.
    void dropBefore(TraceTime time);

    /// An immutable copy, the same one until something changes. Null: there are none.
    [[nodiscard]] SharedSnapshots published();
    /// What was left out: sentences for the health of the trace. What was too many makes nothing a bound.
    [[nodiscard]] std::vector<std::string> notes() const;

  private:
    [[nodiscard]] std::uint32_t nextNumber(std::uint32_t told) const;

    std::vector<Snapshot> snapshots_;
    tsl::robin_map<std::uint32_t, std::uint32_t> numbers_; ///< as told -> as given; of snapshots with own blocks
    SharedSnapshots copy_;
    std::uint32_t lastTold_ = 0;
    std::uint32_t lastNumber_ = 0;
    TraceTime lastTime_ = kBeforeTrace;
    TraceTime lastToldTime_ = kBeforeTrace; ///< of the last one, also if it was late
    std::uint64_t tooMany_ = 0;
    std::uint64_t damaged_ = 0;
    std::uint64_t droppedBlocks_ = 0;
};

} // namespace highwater::store
