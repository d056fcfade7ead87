#pragma once

#include "core/base/guid.h"
#include "core/etl/raw_record.h"
#include "core/event/process_events.h"

#include <optional>

namespace highwater::decode {

/// ImageID records (KernelTraceControl, etl-format 6.4): what the debug file of an image is. Injected by merges, with
/// the time of the image record they belong to. Other opcodes than these two are only counted.
/// nullopt: too short (the caller counts Loss::RecordsTruncated).
inline constexpr Guid kImageIdProvider{0xB3E675D7, 0x2554, 0x4F18, {0x83, 0x0B, 0x27, 0x62, 0x73, 0x25, 0x60, 0xDE}};
namespace image_id_opcode {
inline constexpr std::uint8_t kImage = 0, kRsds = 36;
}

/// Size and time stamp of the image (opcode 0).
[[nodiscard]] std::optional<ImageIdentityEvent> decodeImageIdImage(const etl::RawRecord& record);
/// GUID, age and name of the PDB (opcode 36).
[[nodiscard]] std::optional<ImageIdentityEvent> decodeImageIdRsds(const etl::RawRecord& record);

} // namespace highwater::decode
