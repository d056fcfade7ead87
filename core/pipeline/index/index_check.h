#pragma once

#include "core/event/trace_notes.h"
#include "core/pipeline/index/trace_facts.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <functional>

namespace highwater::pipeline {

/// Checks of what was read from an index file. A checksum finds damage; these find what somebody wrote on purpose, so
/// that no reader of the trace leaves its columns, walks in circles or overflows a time. Amounts are not checked:
/// whoever writes a file can write any numbers. One pass over the columns, shared among all processors.

/// Whether all ids, places and counts of the trace lead to something that is there: rows to sites, sites to stacks and
/// heaps, stacks to frames, frames to processes, and so on. The columns must be as long as the trace says.
[[nodiscard]] bool refersWithin(const store::PublishedTrace& trace);
/// The same, and what is known of the trace beside its rows.
[[nodiscard]] bool refersWithin(const store::PublishedTrace& trace, const TraceFacts& facts, const TraceNotes& notes);

// What the two are made of.

/// Times of traces, in ns, from one side of zero to the other: some years, so that differences of two do not overflow.
inline constexpr std::int64_t kMostIndexedTime = std::int64_t{1} << 60;
[[nodiscard]] constexpr bool isIndexedTime(TraceTime time) {
    return time.ns >= -kMostIndexedTime && time.ns <= kMostIndexedTime;
}
/// Also those that mean "before the trace" and "never".
[[nodiscard]] constexpr bool isTimeOrNone(TraceTime time) {
    return time == kBeforeTrace || time == kNever || isIndexedTime(time);
}
/// Whether `isRight(first, last)` holds of all parts of [0, count). It is called on several threads.
[[nodiscard]] bool holdsOfAll(std::uint64_t count,
                              const std::function<bool(std::uint64_t first, std::uint64_t last)>& isRight);
/// Rows, and the order in which they begin and end.
[[nodiscard]] bool areRowsRight(const store::TableView& view);

} // namespace highwater::pipeline
