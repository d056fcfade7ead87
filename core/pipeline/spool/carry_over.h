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

/// A trace that begins later than its recording did.
struct CarryOver {
    std::int64_t startTicks = 0; ///< where the trace begins
    /// Everything before that time is in it, and nothing that ended after it has been let go.
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<const store::PagesAt> pages;      ///< at that time
    std::optional<std::vector<std::uint32_t>> pids{}; ///< sorted: only of these processes; nothing: of all
};

/// Takes records in time order; their memory is gone after the call.
using WriteRecords = std::function<Result<void>(std::span<const etl::RawRecord> records)>;

/// Writes down what was outstanding when the trace begins, as the records that made it: each block at its own time,
/// with its thread and stack (as far as its frames have come: those that Windows' stack caching keeps for later are
/// left out). A commit of which only parts were left is followed by what was decommitted of it. Before them all, a
/// record says where the trace begins, and how much had ended (decode/retained_range_record.h). All on one processor
/// number, that nobody else uses. Returns how many blocks and commits they are.
[[nodiscard]] Result<std::uint64_t> writeCarryOver(const CarryOver& state, const TraceProperties& properties,
                                                   std::uint16_t processor, const WriteRecords& write);

} // namespace highwater::pipeline
