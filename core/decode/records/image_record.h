#pragma once

#include "core/etl/raw_record.h"
#include "core/event/process_events.h"

#include <optional>

namespace highwater::decode {

/// Image records (docs/etl-format.md 6.3), versions 0..3. A load is opcode 10, of the Process group in kernel records
/// and of the Image class in FULL records; Unload, DCStart and DCEnd are opcodes 2, 3, 4 of the Image group. The pid is
/// the payload's (v0: the header's). No time yet. nullopt: too short for the fixed fields (the caller counts
/// Loss::RecordsTruncated); a path cut off is kept as it is.
[[nodiscard]] std::optional<ImageEvent> decodeImage(const etl::RawRecord& record);

} // namespace highwater::decode
