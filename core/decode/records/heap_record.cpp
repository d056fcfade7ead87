#include "core/decode/records/heap_record.h"

#include "core/decode/records/record_fields.h"

namespace highwater::decode {
namespace {

/// Exceeds the memory of any machine. Larger sizes are damaged; the limit prevents overflow of sums.
constexpr ByteCount kMostBlockBytes = ByteCount{1} << 43;

MemoryEvent heapEvent(const etl::RawRecord& record, const RecordFields& fields, MemoryOperation operation) {
    MemoryEvent event;
    event.operation = operation;
    event.pid = record.pid;
    event.tid = ThreadId{record.tid};
    event.heap = fields.pointerAt(0);
    return event;
}

/// The last field of a record, after this many pointers; 0 (unknown) in records that omit it.
std::uint8_t sourceAt(const RecordFields& fields, unsigned pointers) {
    return fields.holds(pointers, 4) ? static_cast<std::uint8_t>(fields.u32At(pointers)) : std::uint8_t{0};
}

} // namespace

std::optional<MemoryEvent> decodeHeapCreate(const etl::RawRecord& record) {
    const RecordFields fields(record);
    if (!fields.holds(1, 4)) return std::nullopt;
    auto event = heapEvent(record, fields, MemoryOperation::HeapCreate);
    event.flags = fields.u32At(1);
    return event;
}

std::optional<MemoryEvent> decodeHeapAlloc(const etl::RawRecord& record) {
    const RecordFields fields(record);
    if (!fields.holds(3, 0)) return std::nullopt;
    auto event = heapEvent(record, fields, MemoryOperation::HeapAlloc);
    event.size = fields.pointerAt(1);
    event.address = fields.pointerAt(2);
    event.source = sourceAt(fields, 3);
    if (event.size > kMostBlockBytes) return std::nullopt;
    return event;
}

std::optional<MemoryEvent> decodeHeapSample(const etl::RawRecord& record) {
    constexpr Address kHeapOfSamples = 1; // the only one
    ByteReader reader(record.payloadSpan());
    const auto pid = reader.take<std::uint32_t>();
    const bool hasFlags = reader.skip(sizeof(std::uint32_t));
    const auto address = reader.take<std::uint64_t>();
    const auto bytes = reader.take<std::uint64_t>();
    const auto objects = reader.take<std::uint64_t>();
    if (!pid || !hasFlags || !address || !bytes || !objects) return std::nullopt;
    if (*bytes > kMostBlockBytes || *objects > kMostBlockBytes) return std::nullopt;
    MemoryEvent event;
    event.operation = MemoryOperation::HeapAlloc;
    event.pid = *pid;
    event.heap = kHeapOfSamples;
    event.address = *address;
    event.size = *bytes;
    event.oldSize = *objects - 1;
    return event;
}

std::optional<MemoryEvent> decodeHeapReAlloc(const etl::RawRecord& record) {
    const RecordFields fields(record);
    if (!fields.holds(5, 4)) return std::nullopt;
    auto event = heapEvent(record, fields, MemoryOperation::HeapReAlloc);
    event.address = fields.pointerAt(1);
    event.oldAddress = fields.pointerAt(2);
    event.size = fields.pointerAt(3);
    event.oldSize = fields.pointerAt(4);
    event.source = static_cast<std::uint8_t>(fields.u32At(5));
    if (event.size > kMostBlockBytes) return std::nullopt;
    return event;
}

std::optional<MemoryEvent> decodeHeapDestroy(const etl::RawRecord& record) {
    const RecordFields fields(record);
    if (!fields.holds(1, 0)) return std::nullopt;
    return heapEvent(record, fields, MemoryOperation::HeapDestroy);
}

std::optional<MemoryEvent> decodeHeapFree(const etl::RawRecord& record) {
    const RecordFields fields(record);
    if (!fields.holds(2, 0)) return std::nullopt;
    auto event = heapEvent(record, fields, MemoryOperation::HeapFree);
    event.address = fields.pointerAt(1);
    event.source = sourceAt(fields, 2);
    return event;
}

std::optional<MemoryEvent> decodeHeapBlock(const etl::RawRecord& record) {
    switch (record.opcode) {
    case heap_opcode::kAlloc:
        return decodeHeapAlloc(record);
    case heap_opcode::kFree:
        return decodeHeapFree(record);
    default:
        return decodeHeapReAlloc(record);
    }
}

} // namespace highwater::decode
