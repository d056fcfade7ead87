#pragma once

#include "core/etl/raw_record.h"
#include "core/event/process_events.h"

#include <optional>

namespace highwater::decode {

/// Image records (docs/etl-format.md 6.3), versions 0..3. A load is opcode 10, of the Process group in kernel records
/// and of the Image class in FULL records; Unload, DCStart and DCEnd are opcodes 2, 3, 4 of the Image group. The pid
/// comes from the payload (v0: from the header). No time yet. nullopt if too short for the fixed fields (the caller
/// counts Loss::RecordsTruncated); a truncated path is kept.
[[nodiscard]] std::optional<ImageEvent> decodeImage(const etl::RawRecord& record);

} // namespace highwater::decode
