#pragma once

#include "core/etl/raw_record.h"
#include "core/event/opcodes.h"

namespace highwater::pipeline {

/// For records that report losses of the recorder.
inline constexpr Guid kLostEventProvider{0x6A399AE0, 0x4BC6, 0x4DE9, {0x87, 0x0B, 0x36, 0x57, 0xF8, 0x94, 0x7E, 0x7E}};

/// Whether the record is about memory itself, of which a recording has millions.
[[nodiscard]] inline bool isMemoryRecord(const etl::RawRecord& record) {
    if (record.kind != etl::RawRecord::Kind::Classic) return false;
    return record.group == group::kHeap ||
           (record.group == group::kMemory && record.opcode != process_memory_opcode::kSample);
}

/// Stacks of other records, but not definitions of stack keys.
[[nodiscard]] inline bool isStackReference(const etl::RawRecord& record) {
    return record.kind == etl::RawRecord::Kind::Classic && record.group == group::kStackWalk &&
           (record.opcode == stack_opcode::kStackWalk || record.opcode == stack_opcode::kKernelKey ||
            record.opcode == stack_opcode::kUserKey);
}

} // namespace highwater::pipeline
