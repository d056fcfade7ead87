#pragma once

#include "core/etl/raw_record.h"
#include "core/event/process_events.h"

#include <optional>

namespace highwater::decode {

/// Thread records (group 5 opcodes 1..4, docs/etl-format.md 6.2). pid and tid come from the payload; the name only
/// exists since Windows 10 1809. No time yet. nullopt if too short (the caller counts Loss::RecordsTruncated). A
/// truncated name is kept.
[[nodiscard]] std::optional<ThreadEvent> decodeThread(const etl::RawRecord& record);
/// A thread was named (opcode 72). As above.
[[nodiscard]] std::optional<ThreadEvent> decodeThreadName(const etl::RawRecord& record);

} // namespace highwater::decode
