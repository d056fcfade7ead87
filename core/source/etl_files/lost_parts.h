#pragma once

#include "core/etl/etl_reader.h"
#include "core/source/contract/record_source.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace highwater::source {

/// Missing parts of a file, as far as its buffers show: gaps in buffer numbers, losses that buffers report, and the
/// missing end. `lastTicks`: of its last record. A lost buffer started after the preceding buffer of its processor, and
/// ended before the next one started. Because its processor is not known, zones are as wide as possible. In no
/// particular order; any thread.
[[nodiscard]] std::vector<LostTicks> lostParts(const etl::EtlReader& reader, std::int64_t lastTicks);

/// End of the recording in the ticks of the file; nothing if the file was not closed.
[[nodiscard]] std::optional<std::int64_t> endTicks(const etl::TraceHeader& header);

/// Describes the missing end of a file.
[[nodiscard]] EarlyEnd earlyEnd(const etl::EtlReader& reader, std::int64_t lastTicks);

} // namespace highwater::source
