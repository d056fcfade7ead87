#pragma once

#include "core/etl/raw_record.h"
#include "core/event/snapshot_events.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace highwater::decode {

/// Highwater's own record (highwater_opcode::kSnapshot) of a snapshot taken at the time of the record. Its payload, u32
/// each:
///
///     number | origin (SnapshotOrigin) | pid, or 0xFFFFFFFF: all recorded processes
///
/// A late one (SnapshotTaken::isLate) also has its own time: i64 ticks. It has no blocks of its own: they are the
/// trace's blocks outstanding at that time.
[[nodiscard]] std::vector<std::byte> encodeSnapshot(const SnapshotTaken& taken);
[[nodiscard]] std::vector<std::byte> encodeLateSnapshot(const SnapshotTaken& taken, std::int64_t ticks);

struct SnapshotRecord {
    SnapshotTaken taken; ///< without its time
    std::int64_t ticks = 0;
};
/// None if too short.
[[nodiscard]] std::optional<SnapshotRecord> decodeSnapshot(const etl::RawRecord& record);

} // namespace highwater::decode
