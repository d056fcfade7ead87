#pragma once

#include "core/etl/raw_record.h"
#include "core/event/gc_events.h"
#include "core/event/memory_events.h"

#include <optional>

namespace highwater::decode {

/// Records of the CLR's garbage collector (docs/etl-format.md 6.7). Newer versions only append fields, so none is
/// rejected. nullopt if the record lacks fields of its version.

/// An allocation that represents all bytes allocated since the previous one.
struct ManagedAllocation {
    MemoryEvent event; ///< without its time and its type
    ByteSpan typeName; ///< UTF-16LE without its NUL; empty if unknown. Valid as long as the record.
};
[[nodiscard]] std::optional<ManagedAllocation> decodeAllocationTick(const etl::RawRecord& record);
[[nodiscard]] std::optional<ManagedAllocation> decodeAllocationSample(const etl::RawRecord& record);
/// The number of bytes that a sampled object represents (docs/numbers.md 22.1): each byte is sampled with a probability
/// of one in kBytesPerSample.
inline constexpr double kBytesPerSample = 102'400;
[[nodiscard]] ByteCount bytesOfSample(ByteCount objectBytes);

/// Without their times.
[[nodiscard]] std::optional<GcEvent> decodeHeapStats(const etl::RawRecord& record);
[[nodiscard]] std::optional<GcEvent> decodeSegmentCreated(const etl::RawRecord& record);
[[nodiscard]] std::optional<GcEvent> decodeSegmentFreed(const etl::RawRecord& record);

} // namespace highwater::decode
