#pragma once

#include "core/etl/raw_record.h"
#include "core/event/memory_events.h"

#include <optional>

namespace highwater::decode {

/// VirtualAlloc records (group 2, docs/etl-format.md 5.1). The kernel logs them without a thread: the pid comes from
/// the payload, the tid from the header if it has one, otherwise later from the StackWalk record. nullopt if the
/// payload is too short (the caller counts Loss::RecordsTruncated).

[[nodiscard]] std::optional<MemoryEvent> decodeVirtualAlloc(const etl::RawRecord& record);
[[nodiscard]] std::optional<MemoryEvent> decodeVirtualFree(const etl::RawRecord& record);
[[nodiscard]] std::optional<MemoryEvent> decodeVirtualRundownStart(const etl::RawRecord& record);
[[nodiscard]] std::optional<MemoryEvent> decodeVirtualRundownEnd(const etl::RawRecord& record);

} // namespace highwater::decode
