#include "core/decode/records/gc_record.h"

#include "core/base/byte_reader.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace highwater::decode {
namespace {

constexpr std::uint16_t kVersionWithType = 2, kVersionWithAddress = 3; ///< versions of ticks
constexpr std::size_t kPinnedSize = 94; ///< offset of the size of the pinned heap in GCHeapStats, from version 2 on
constexpr std::uint16_t kVersionWithPinned = 2;

/// The text up to its NUL, which is also consumed. nullopt if there is no NUL because the text was cut.
std::optional<ByteSpan> takeTextBytes(ByteReader& reader, const etl::RawRecord& record) {
    const auto rest = record.payloadSpan().subspan(reader.offset());
    for (std::size_t at = 0; at + 1 < rest.size(); at += 2) {
        if (rest[at] != std::byte{} || rest[at + 1] != std::byte{}) continue;
        (void)reader.skip(at + 2);
        return rest.first(at);
    }
    return std::nullopt;
}

/// Exceeds the memory of any machine. Larger amounts are damaged; the limit prevents overflow of sums.
constexpr ByteCount kMostManagedBytes = ByteCount{1} << 43;

/// Unknown kinds stay unknown.
std::uint8_t kindOf(std::uint32_t kind) {
    return static_cast<std::uint8_t>(std::min<std::uint32_t>(kind, std::numeric_limits<std::uint8_t>::max()));
}

MemoryEvent eventOf(const etl::RawRecord& record, std::uint32_t kind, ByteCount bytes) {
    MemoryEvent event;
    event.operation = MemoryOperation::ManagedAlloc;
    event.pid = record.pid;
    event.tid = ThreadId{record.tid};
    event.source = kindOf(kind);
    event.size = bytes;
    return event;
}

GcEvent eventOf(const etl::RawRecord& record, GcEvent::Kind kind) {
    GcEvent event;
    event.kind = kind;
    event.pid = record.pid;
    return event;
}

} // namespace

// u32 amount, u32 kind; v1: u16 runtime; v2: u64 amount, P type, name, u32 heap; v3: P address; v4: u64 object's size
std::optional<ManagedAllocation> decodeAllocationTick(const etl::RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    const auto narrow = reader.take<std::uint32_t>();
    const auto kind = reader.take<std::uint32_t>();
    if (!narrow || !kind) return std::nullopt;
    ManagedAllocation tick{eventOf(record, *kind, *narrow), {}};
    if (record.version < kVersionWithType) return tick;
    const auto amount = reader.skip(2) ? reader.take<std::uint64_t>() : std::nullopt;
    const auto name = amount && reader.skip(record.pointerBytes) ? takeTextBytes(reader, record) : std::nullopt;
    if (!name || !reader.skip(4) || *amount > kMostManagedBytes) return std::nullopt;
    tick.event.size = *amount;
    tick.typeName = *name;
    if (record.version < kVersionWithAddress) return tick;
    const auto address = reader.takePointer(record.pointerBytes);
    if (!address) return std::nullopt;
    tick.event.address = *address;
    return tick;
}

// u32 kind, u16 runtime, P type, name, P address, u64 object's size, u64 offset of the byte that was found
std::optional<ManagedAllocation> decodeAllocationSample(const etl::RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    const auto kind = reader.take<std::uint32_t>();
    const bool hasType = reader.skip(2) && reader.skip(record.pointerBytes);
    const auto name = hasType ? takeTextBytes(reader, record) : std::nullopt;
    const auto address = name ? reader.takePointer(record.pointerBytes) : std::nullopt;
    const auto size = reader.take<std::uint64_t>();
    if (!kind || !name || !address || !size || *size > kMostManagedBytes) return std::nullopt;
    ManagedAllocation sample{eventOf(record, *kind, bytesOfSample(*size)), *name};
    sample.event.address = *address;
    sample.event.flags = managed_flag::kSample;
    return sample;
}

/// An object of n bytes is sampled with probability 1 - (1 - p)^n, so it represents n / that. Small objects represent 1
/// / p bytes, large ones themselves.
ByteCount bytesOfSample(ByteCount objectBytes) {
    if (objectBytes == 0) return 0;
    const auto bytes = static_cast<double>(objectBytes);
    const auto found = -std::expm1(bytes * std::log1p(-1.0 / kBytesPerSample));
    const auto estimate = std::round(bytes / found);
    // Doubles of this size are not exact integers any more, and such an object is always sampled.
    if (!(estimate < 9e15)) return objectBytes;
    return std::max(objectBytes, static_cast<ByteCount>(estimate));
}

// u64 x 8: size and promoted bytes of generations 0, 1, 2 and large objects; counts; v2: the same of the pinned heap
std::optional<GcEvent> decodeHeapStats(const etl::RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    auto event = eventOf(record, GcEvent::Kind::Sizes);
    for (; event.generations < kGcGenerations - 1; ++event.generations) {
        const auto size = reader.take<std::uint64_t>();
        if (!size || !reader.skip(8) || *size > kMostManagedBytes) return std::nullopt;
        event.sizes[event.generations] = *size;
    }
    if (record.version < kVersionWithPinned) return event;
    if (!reader.skip(kPinnedSize - reader.offset())) return std::nullopt;
    const auto pinned = reader.take<std::uint64_t>();
    if (!pinned || *pinned > kMostManagedBytes) return std::nullopt;
    event.sizes[event.generations++] = *pinned;
    return event;
}

// u64 address, u64 size, u32 kind
std::optional<GcEvent> decodeSegmentCreated(const etl::RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    const auto address = reader.take<std::uint64_t>();
    const auto size = reader.take<std::uint64_t>();
    if (!address || !size) return std::nullopt;
    auto event = eventOf(record, GcEvent::Kind::SegmentCreated);
    event.address = *address;
    event.size = *size;
    return event;
}

// u64 address
std::optional<GcEvent> decodeSegmentFreed(const etl::RawRecord& record) {
    const auto address = ByteReader(record.payloadSpan()).take<std::uint64_t>();
    if (!address) return std::nullopt;
    auto event = eventOf(record, GcEvent::Kind::SegmentFreed);
    event.address = *address;
    return event;
}

} // namespace highwater::decode
