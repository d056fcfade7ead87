#pragma once

#include "core/base/result.h"
#include "core/etl/raw_record.h"
#include "core/event/trace_properties.h"
#include "core/store/matching/committed_pages.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace highwater::pipeline {

/// A trace that begins later than its recording.
struct CarryOver {
    std::int64_t startTicks = 0; ///< start of the trace
    /// Contains everything before that time. No allocation that ended after it has been discarded.
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<const store::PagesAt> pages;      ///< at that time
    std::optional<std::vector<std::uint32_t>> pids{}; ///< sorted: only these processes; nothing: all
};

/// Takes records in time order. Their memory is only valid during the call.
using WriteRecords = std::function<Result<void>(std::span<const etl::RawRecord> records)>;

/// Writes the allocations outstanding at the start of the trace as the records that created them: each block with its
/// own time, thread and stack (as far as its frames have arrived; those that Windows' stack caching delivers later are
/// left out). A partly released commit is followed by its decommits. The first record contains the start of the trace
/// and the amount that had ended (decode/retained_range_record.h). All use one processor number that must otherwise be
/// unused. Returns the number of blocks and commits.
[[nodiscard]] Result<std::uint64_t> writeCarryOver(const CarryOver& state, const TraceProperties& properties,
                                                   std::uint16_t processor, const WriteRecords& write);

} // namespace highwater::pipeline
