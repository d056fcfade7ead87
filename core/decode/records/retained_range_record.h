#pragma once

#include "core/decode/records/clock.h"
#include "core/etl/raw_record.h"
#include "core/event/retained_range.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace highwater::decode {

/// Highwater's own record (highwater_opcode::kWindow) of a recording that kept only its newest part: its start, and the
/// amount that is not in the file because it had ended before. Its payload, u64 each:
///
///     start in ticks | heap: rows | bytes | VirtualAlloc: rows | bytes
[[nodiscard]] std::vector<std::byte> encodeRetainedRange(const RetainedRange& window, std::int64_t startTicks);
[[nodiscard]] std::optional<RetainedRange> decodeRetainedRange(const etl::RawRecord& record, const Clock& clock);

} // namespace highwater::decode
