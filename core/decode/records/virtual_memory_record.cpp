#include "core/decode/records/virtual_memory_record.h"

#include "core/decode/records/record_fields.h"

namespace highwater::decode {
namespace {

// Base P | RegionSize P | ProcessId u32 | Flags u32, and in rundown records CommitSize P after them.
std::optional<MemoryEvent> decodeRegion(const etl::RawRecord& record, MemoryOperation operation) {
    const RecordFields fields(record);
    if (!fields.holds(2, 8)) return std::nullopt;
    MemoryEvent event;
    event.operation = operation;
    event.address = fields.pointerAt(0);
    event.size = fields.pointerAt(1);
    event.pid = fields.u32At(2);
    event.flags = fields.u32At(2, 4);
    event.tid = ThreadId{record.tid};
    return event;
}

std::optional<MemoryEvent> decodeRundown(const etl::RawRecord& record, MemoryOperation operation) {
    const RecordFields fields(record);
    if (!fields.holds(3, 8)) return std::nullopt;
    auto event = decodeRegion(record, operation);
    if (event) event->oldSize = fields.pointerAt(2, 8);
    return event;
}

} // namespace

std::optional<MemoryEvent> decodeVirtualAlloc(const etl::RawRecord& record) {
    return decodeRegion(record, MemoryOperation::VirtualAlloc);
}
std::optional<MemoryEvent> decodeVirtualFree(const etl::RawRecord& record) {
    return decodeRegion(record, MemoryOperation::VirtualFree);
}
std::optional<MemoryEvent> decodeVirtualRundownStart(const etl::RawRecord& record) {
    return decodeRundown(record, MemoryOperation::VirtualRundownStart);
}
std::optional<MemoryEvent> decodeVirtualRundownEnd(const etl::RawRecord& record) {
    return decodeRundown(record, MemoryOperation::VirtualRundownEnd);
}

} // namespace highwater::decode
