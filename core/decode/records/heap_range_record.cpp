#include "core/decode/records/heap_range_record.h"

#include "core/decode/records/record_fields.h"

#include <algorithm>

namespace highwater::decode {
namespace {

MemoryEvent rangeEvent(const etl::RawRecord& record, const RecordFields& fields, MemoryOperation operation) {
    MemoryEvent event;
    event.operation = operation;
    event.pid = record.pid;
    event.tid = ThreadId{record.tid};
    event.heap = fields.pointerAt(0);
    return event;
}

std::optional<MemoryEvent> decodeOneRange(const etl::RawRecord& record, MemoryOperation operation) {
    const RecordFields fields(record);
    if (!fields.holds(3, 0)) return std::nullopt;
    auto event = rangeEvent(record, fields, operation);
    event.address = fields.pointerAt(1);
    event.size = fields.pointerAt(2);
    return event;
}

/// Bytes other than the handle before the list of ranges: Flags, Pid, RangeCount; v3 Reserved u32; v4 HeapTag u64
/// instead.
unsigned fixedRundownBytes(std::uint16_t version) { return version <= 2 ? 12 : version == 3 ? 16 : 20; }

} // namespace

std::optional<MemoryEvent> decodeHeapRangeCreate(const etl::RawRecord& record) {
    const RecordFields fields(record);
    if (!fields.holds(2, 4)) return std::nullopt;
    auto event = rangeEvent(record, fields, MemoryOperation::HeapRangeReserve);
    event.address = event.heap;
    event.size = fields.pointerAt(1);
    event.flags = fields.u32At(2);
    return event;
}

std::optional<MemoryEvent> decodeHeapRangeReserve(const etl::RawRecord& record) {
    return decodeOneRange(record, MemoryOperation::HeapRangeReserve);
}

std::optional<MemoryEvent> decodeHeapRangeRelease(const etl::RawRecord& record) {
    return decodeOneRange(record, MemoryOperation::HeapRangeRelease);
}

std::optional<MemoryEvent> decodeHeapRangeDestroy(const etl::RawRecord& record) {
    const RecordFields fields(record);
    if (!fields.holds(1, 0)) return std::nullopt;
    return rangeEvent(record, fields, MemoryOperation::HeapRangeDestroy);
}

std::optional<HeapRangeRundown> HeapRangeRundown::decode(const etl::RawRecord& record) {
    const RecordFields fields(record);
    const unsigned fixedBytes = fixedRundownBytes(record.version);
    if (!fields.holds(1, fixedBytes)) return std::nullopt;
    HeapRangeRundown rundown;
    rundown.event_ = rangeEvent(record, fields, MemoryOperation::HeapRangeReserve);
    rundown.event_.flags = fields.u32At(1);
    rundown.event_.pid = fields.u32At(1, 4);
    const std::size_t declared = fields.u32At(1, 8);
    rundown.ranges_ = fields.rest(1, fixedBytes);
    rundown.pointerBytes_ = fields.pointerBytes();
    const std::size_t present = rundown.ranges_.size() / (2 * std::size_t{rundown.pointerBytes_});
    rundown.size_ = std::min(declared, present);
    rundown.cutOff_ = present < declared;
    return rundown;
}

MemoryEvent HeapRangeRundown::range(std::size_t index) const {
    ByteReader reader(ranges_.subspan(index * 2 * pointerBytes_));
    MemoryEvent event = event_;
    event.address = reader.takePointer(pointerBytes_).value_or(0);
    event.size = reader.takePointer(pointerBytes_).value_or(0);
    return event;
}

} // namespace highwater::decode
