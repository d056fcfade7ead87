#pragma once

#include "core/etl/raw_record.h"
#include "core/event/opcodes.h"

namespace highwater::pipeline {

/// Which records are about memory itself: they are what a recording has by the million.
[[nodiscard]] inline bool isMemoryRecord(const etl::RawRecord& record) {
    if (record.kind != etl::RawRecord::Kind::Classic) return false;
    return record.group == group::kHeap ||
           (record.group == group::kMemory && record.opcode != process_memory_opcode::kSample);
}

/// Stacks of other records; not the definitions of stack keys.
[[nodiscard]] inline bool isStackReference(const etl::RawRecord& record) {
    return record.kind == etl::RawRecord::Kind::Classic && record.group == group::kStackWalk &&
           (record.opcode == stack_opcode::kStackWalk || record.opcode == stack_opcode::kKernelKey ||
            record.opcode == stack_opcode::kUserKey);
}

} // namespace highwater::pipeline
