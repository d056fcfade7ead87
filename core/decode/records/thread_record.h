#pragma once

#include "core/etl/raw_record.h"
#include "core/event/process_events.h"

#include <optional>

namespace highwater::decode {

/// Thread records (group 5 opcodes 1..4, docs/etl-format.md 6.2). pid and tid are the payload's; the name is known
/// since Windows 10 1809 only. No time yet. nullopt: too short (the caller counts Loss::RecordsTruncated). A name that
/// is cut off is kept as far as it goes.
[[nodiscard]] std::optional<ThreadEvent> decodeThread(const etl::RawRecord& record);
/// A thread was given a name (opcode 72). As above.
[[nodiscard]] std::optional<ThreadEvent> decodeThreadName(const etl::RawRecord& record);

} // namespace highwater::decode
