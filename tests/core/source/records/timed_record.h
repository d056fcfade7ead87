#pragma once

#include "core/event/opcodes.h"
#include "core/source/records/batch_builder.h"
#include "core/source/records/live_ring.h"

namespace highwater::tests {

inline constexpr std::size_t kRing = 4096;

/// A record whose payload is 8 bytes: its own time.
struct TimedRecord {
    explicit TimedRecord(std::int64_t ticks) : payload(ticks) {
        record.ticks = ticks;
        record.group = group::kHeap;
        record.opcode = heap_opcode::kAlloc;
        record.payload = reinterpret_cast<const std::byte*>(&payload);
        record.payloadBytes = sizeof(payload);
    }
    std::int64_t payload;
    etl::RawRecord record;
};

inline bool put(source::LiveRing& ring, std::int64_t ticks) { return ring.put(TimedRecord(ticks).record); }

inline etl::RecordBatch batchOf(source::BatchBuilder& builder) {
    etl::RecordBatch batch;
    builder.moveTo(batch);
    return batch;
}

} // namespace highwater::tests
