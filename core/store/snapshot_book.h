#pragma once

#include "core/event/snapshot_events.h"
#include "core/store/published/published_trace.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace highwater::store {

/// The snapshots of a trace, and the blocks stored with some of them. Pipeline thread only.
///
/// Numbers are made ascending: 0, a number that is not above the previous one, and one that is far above it are
/// replaced by the next number (traces of several files repeat numbers). Left out and counted: snapshots beyond
/// kMostSnapshots, those with the same number and instant as the previous one (a duplicate record in a file), those
/// before the trace, and blocks of snapshots that are unknown or left out.
class SnapshotBook {
  public:
    void add(const SnapshotTaken& taken);
    /// Removes the last snapshot of this instant and reuses its number if it was the last of all. Ignores unknown
    /// instants.
    void undo(TraceTime time);
    /// The number of the snapshot that a block with this number belongs to; nothing if the block is left out.
    [[nodiscard]] std::optional<std::uint32_t> numberOf(std::uint32_t told);
    void noteDroppedBlock() { ++droppedBlocks_; }
    /// Forgets snapshots before this time. Their blocks stay and do not belong to any snapshot.
    void dropBefore(TraceTime time);

    /// An immutable copy, the same one until something changes. Null if there are none.
    [[nodiscard]] SharedSnapshots published();
    /// Sentences about left-out snapshots for the trace health. Exceeding a limit does not turn totals into bounds.
    [[nodiscard]] std::vector<std::string> notes() const;

  private:
    [[nodiscard]] std::uint32_t nextNumber(std::uint32_t told) const;

    std::vector<Snapshot> snapshots_;
    tsl::robin_map<std::uint32_t, std::uint32_t> numbers_; ///< recorded number -> assigned number; of snapshots with
                                                           ///< own blocks
    SharedSnapshots copy_;
    std::uint32_t lastRecordedNumber_ = 0;
    std::uint32_t lastNumber_ = 0;
    TraceTime lastTime_ = kBeforeTrace;
    TraceTime lastRecordedTime_ = kBeforeTrace; ///< time of the last recorded one, even if it was late
    std::uint64_t tooMany_ = 0;
    std::uint64_t damaged_ = 0;
    std::uint64_t droppedBlocks_ = 0;
};

} // namespace highwater::store
