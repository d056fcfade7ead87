#pragma once

#include "core/base/guid.h"
#include "core/etl/raw_record.h"
#include "core/event/process_events.h"

#include <optional>

namespace highwater::decode {

/// SystemConfigEx records (KernelTraceControl, etl-format 6.5). Only the volume mapping is read; others are counted.
inline constexpr Guid kSystemConfigProvider{
    0x9B79EE91, 0xB5FD, 0x41C0, {0xA2, 0x43, 0x42, 0x48, 0xE2, 0x66, 0xE9, 0xD0}};
namespace system_config_opcode {
inline constexpr std::uint8_t kVolumeMapping = 35;
}

/// nullopt: not two whole paths (the caller counts Loss::RecordsTruncated). The second may be empty ("\??\").
[[nodiscard]] std::optional<VolumeMappingEvent> decodeVolumeMapping(const etl::RawRecord& record);

} // namespace highwater::decode
