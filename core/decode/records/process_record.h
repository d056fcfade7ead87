#pragma once

#include "core/etl/raw_record.h"
#include "core/event/process_events.h"

#include <optional>

namespace highwater::decode {

/// Occasion of opcodes 1..4, which have the same meaning for processes and threads: Start, End, DCStart, DCEnd.
[[nodiscard]] constexpr Occasion occasionOf(std::uint8_t opcode) {
    return opcode == 1   ? Occasion::Start
           : opcode == 2 ? Occasion::End
           : opcode == 3 ? Occasion::RundownStart
                         : Occasion::RundownEnd;
}

/// Process records (group 3 opcodes 1..4, docs/etl-format.md 6.1), versions 0..5. The pid comes from the payload. No
/// time yet. nullopt if too short for the fixed fields and the SID (the caller counts Loss::RecordsTruncated).
/// Truncated text is kept. Defunct records (39) describe processes that ended before; they are only counted.
[[nodiscard]] std::optional<ProcessEvent> decodeProcess(const etl::RawRecord& record);

/// Highwater's own record (highwater_opcode::kProcess). nullopt if too short, or of an unknown kind.
[[nodiscard]] std::optional<ProcessEvent> decodeProcessChange(const etl::RawRecord& record);

} // namespace highwater::decode
