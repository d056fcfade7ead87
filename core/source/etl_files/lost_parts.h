#pragma once

#include "core/etl/etl_reader.h"
#include "core/source/contract/record_source.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace highwater::source {

/// Where a file lacks something, as far as its buffers tell: between the numbers that are there, before buffers that
/// say that something was lost, and behind its end. `lastTicks`: of its last record. A lost buffer began after the last
/// one of its processor, and ended before that began the next one; which processor it was is not known: so zones are as
/// wide as what is lost can be. In no order; any thread.
[[nodiscard]] std::vector<LostTicks> lostParts(const etl::EtlReader& reader, std::int64_t lastTicks);

/// When the recording of a file ended, in its ticks; nothing: it was not closed.
[[nodiscard]] std::optional<std::int64_t> endTicks(const etl::TraceHeader& header);

/// What is said of a file that lacks its end.
[[nodiscard]] EarlyEnd earlyEnd(const etl::EtlReader& reader, std::int64_t lastTicks);

} // namespace highwater::source
