#pragma once

#include "core/etl/raw_record.h"
#include "core/event/process_events.h"
#include "core/event/recorded_system.h"

#include <optional>

namespace highwater::decode {

/// SystemConfigEx records (KernelTraceControl, docs/etl-format.md 6.5). Only the volume mapping is read; others are
/// counted. nullopt if there are not two whole paths (the caller counts Loss::RecordsTruncated). The second may be
/// empty ("\??\").
[[nodiscard]] std::optional<VolumeMappingEvent> decodeVolumeMapping(const etl::RawRecord& record);

/// SystemConfig CPU (group 0x0B opcode 10): u32 MHz, processors, memory, page size, granularity | name of the computer,
/// UTF-16, 256 characters | ... nullopt if it ends before the end of the number of processors.
[[nodiscard]] std::optional<RecordedSystem> decodeProcessors(const etl::RawRecord& record);

} // namespace highwater::decode
