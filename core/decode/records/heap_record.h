#pragma once

#include "core/etl/raw_record.h"
#include "core/event/memory_events.h"
#include "core/event/opcodes.h"

#include <optional>

namespace highwater::decode {

/// Heap records about the lifetime of blocks (group 0x10, docs/etl-format.md 5.2). The thread itself logs them in user
/// mode, so pid and tid come from the header. The result has no time and no stack yet. nullopt if the payload is
/// shorter than its kind requires, or if the block is larger than the memory of any machine, 8 TiB (the caller counts
/// Loss::RecordsTruncated). Later versions only append fields; they are read like the newest known one.

[[nodiscard]] std::optional<MemoryEvent> decodeHeapCreate(const etl::RawRecord& record);
[[nodiscard]] std::optional<MemoryEvent> decodeHeapAlloc(const etl::RawRecord& record);
/// Highwater's own record that represents many objects (highwater_opcode::kSample).
[[nodiscard]] std::optional<MemoryEvent> decodeHeapSample(const etl::RawRecord& record);
[[nodiscard]] std::optional<MemoryEvent> decodeHeapReAlloc(const etl::RawRecord& record);
[[nodiscard]] std::optional<MemoryEvent> decodeHeapDestroy(const etl::RawRecord& record);
[[nodiscard]] std::optional<MemoryEvent> decodeHeapFree(const etl::RawRecord& record);

/// Whether the record begins or ends a block, as nearly all records of most traces do.
[[nodiscard]] inline bool isHeapBlockRecord(const etl::RawRecord& record) {
    if (record.kind != etl::RawRecord::Kind::Classic || record.group != group::kHeap) return false;
    return record.opcode == heap_opcode::kAlloc || record.opcode == heap_opcode::kFree ||
           record.opcode == heap_opcode::kReAlloc;
}
/// Decodes only those.
[[nodiscard]] std::optional<MemoryEvent> decodeHeapBlock(const etl::RawRecord& record);

} // namespace highwater::decode
