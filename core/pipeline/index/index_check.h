#pragma once

#include "core/event/trace_notes.h"
#include "core/pipeline/index/trace_facts.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <functional>

namespace highwater::pipeline {

/// Checks of data read from an index file. A checksum finds damage. These checks find deliberately crafted data, so
/// that readers of the trace never leave its columns, follow cycles or overflow a time. Amounts are not checked because
/// a crafted file can contain any numbers. One pass over the columns, shared among all processors.

/// Whether all ids, positions and counts of the trace refer to existing data: rows to sites, sites to stacks and heaps,
/// stacks to frames, frames to processes, and so on. The columns must be as long as the trace specifies.
[[nodiscard]] bool refersWithin(const store::PublishedTrace& trace);
/// The same, including data of the trace beside its rows.
[[nodiscard]] bool refersWithin(const store::PublishedTrace& trace, const TraceFacts& facts, const TraceNotes& notes);

// The parts of both functions.

/// Limit of trace times, in ns, on both sides of zero: some years, so that differences of two times do not overflow.
inline constexpr std::int64_t kMostIndexedTime = std::int64_t{1} << 60;
[[nodiscard]] constexpr bool isIndexedTime(TraceTime time) {
    return time.ns >= -kMostIndexedTime && time.ns <= kMostIndexedTime;
}
/// Also accepts the values for "before the trace" and "never".
[[nodiscard]] constexpr bool isTimeOrNone(TraceTime time) {
    return time == kBeforeTrace || time == kNever || isIndexedTime(time);
}
/// Whether `isRight(first, last)` holds for all parts of [0, count). It is called on several threads.
[[nodiscard]] bool holdsForAll(std::uint64_t count,
                               const std::function<bool(std::uint64_t first, std::uint64_t last)>& isRight);
/// Rows, and the order in which they begin and end.
[[nodiscard]] bool areRowsRight(const store::TableView& view);

} // namespace highwater::pipeline
