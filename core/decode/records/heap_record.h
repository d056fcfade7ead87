#pragma once

#include "core/etl/raw_record.h"
#include "core/event/memory_events.h"
#include "core/event/opcodes.h"

#include <optional>

namespace highwater::decode {

/// Heap records that carry the lifetime of blocks (group 0x10, docs/etl-format.md 5.2). They are logged in user mode by
/// the thread itself, so pid and tid come from the header. The result has no time and no stack yet.
/// nullopt: the payload is shorter than its kind requires, or the block larger than any machine is, 8 TiB (the caller
/// counts Loss::RecordsTruncated).
/// Later versions only append fields; they are read like the newest known one.

[[nodiscard]] std::optional<MemoryEvent> decodeHeapCreate(const etl::RawRecord& record);
[[nodiscard]] std::optional<MemoryEvent> decodeHeapAlloc(const etl::RawRecord& record);
/// Highwater's own record of many objects (highwater_opcode::kSample).
[[nodiscard]] std::optional<MemoryEvent> decodeHeapSample(const etl::RawRecord& record);
[[nodiscard]] std::optional<MemoryEvent> decodeHeapReAlloc(const etl::RawRecord& record);
[[nodiscard]] std::optional<MemoryEvent> decodeHeapDestroy(const etl::RawRecord& record);
[[nodiscard]] std::optional<MemoryEvent> decodeHeapFree(const etl::RawRecord& record);

/// Whether it is a record of a block that begins or ends, which are nearly all records of most traces.
[[nodiscard]] inline bool isOfHeapBlock(const etl::RawRecord& record) {
    if (record.kind != etl::RawRecord::Kind::Classic || record.group != group::kHeap) return false;
    return record.opcode == heap_opcode::kAlloc || record.opcode == heap_opcode::kFree ||
           record.opcode == heap_opcode::kReAlloc;
}
/// Of those only.
[[nodiscard]] std::optional<MemoryEvent> decodeHeapBlock(const etl::RawRecord& record);

} // namespace highwater::decode
