#pragma once

#include "core/etl/raw_record.h"
#include "core/event/gc_events.h"
#include "core/event/memory_events.h"

#include <optional>

namespace highwater::decode {

/// Records of the CLR's garbage collector (docs/etl-format.md 6.7). Newer versions only append fields, so that none is
/// refused. nullopt: the record does not have the fields of its version.

/// An allocation that stands for all bytes that were allocated since the one before.
struct ManagedAllocation {
    MemoryEvent event; ///< without its time, and its type
    ByteSpan typeName; ///< UTF-16LE without its NUL; empty: it is not told. Valid as long as the record
};
[[nodiscard]] std::optional<ManagedAllocation> decodeAllocationTick(const etl::RawRecord& record);
[[nodiscard]] std::optional<ManagedAllocation> decodeAllocationSample(const etl::RawRecord& record);
/// How many bytes an object stands for that was found by sampling (docs/numbers.md 22.1): each byte with the
/// probability of one in kBytesPerSample.
inline constexpr double kBytesPerSample = 102'400;
[[nodiscard]] ByteCount bytesOfSample(ByteCount objectBytes);

/// Without their times.
[[nodiscard]] std::optional<GcEvent> decodeHeapStats(const etl::RawRecord& record);
[[nodiscard]] std::optional<GcEvent> decodeSegmentCreated(const etl::RawRecord& record);
[[nodiscard]] std::optional<GcEvent> decodeSegmentFreed(const etl::RawRecord& record);

} // namespace highwater::decode
