#pragma once

#include "core/etl/raw_record.h"
#include "core/event/process_events.h"

#include <optional>

namespace highwater::decode {

/// ImageID records (KernelTraceControl, docs/etl-format.md 6.4): the debug file of an image. Merges insert them with
/// the time of the image record they belong to. Opcodes other than these two are only counted. nullopt if too short
/// (the caller counts Loss::RecordsTruncated).

/// Size and time stamp of the image (opcode 0).
[[nodiscard]] std::optional<ImageIdentityEvent> decodeImageIdImage(const etl::RawRecord& record);
/// GUID, age and name of the PDB (opcode 36).
[[nodiscard]] std::optional<ImageIdentityEvent> decodeImageIdRsds(const etl::RawRecord& record);

} // namespace highwater::decode
