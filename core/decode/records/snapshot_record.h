#pragma once

#include "core/etl/raw_record.h"
#include "core/event/snapshot_events.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace highwater::decode {

/// Highwater's own record (highwater_opcode::kSnapshot) that a snapshot was taken at the time of the record. Its
/// payload, u32 each:
///
///     number | who asked (SnapshotOrigin) | pid, or 0xFFFFFFFF: all that is recorded
///
/// One that is late (SnapshotTaken::isLate) has its own time behind that: i64 ticks.
/// It brings no blocks: they are those of the trace that are outstanding at that time.
[[nodiscard]] std::vector<std::byte> encodeSnapshot(const SnapshotTaken& taken);
[[nodiscard]] std::vector<std::byte> encodeLateSnapshot(const SnapshotTaken& taken, std::int64_t ticks);

struct SnapshotRecord {
    SnapshotTaken taken; ///< without its time
    std::int64_t ticks = 0;
};
/// None: too short.
[[nodiscard]] std::optional<SnapshotRecord> decodeSnapshot(const etl::RawRecord& record);

} // namespace highwater::decode
