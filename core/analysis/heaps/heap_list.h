#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/query/annotations.h"
#include "core/analysis/query/row_filter.h"
#include "core/base/result.h"
#include "core/event/trace_notes.h"
#include "core/store/published/published_trace.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// The handle of all blocks of a Linux program: memory from malloc and similar functions.
inline constexpr Address kMallocHandle = 1;

struct HeapsQuery {
    TimeRange interval;
    RowFilter filter = {}; ///< for blocks: heaps without matching blocks are omitted
    bool processExitFreesHeap = false;
    std::shared_ptr<const AllocatorFrames> allocatorFrames = nullptr; ///< skipped to find creators; null: none
    SharedMarks marks = nullptr;                                      ///< for the filter
    std::shared_ptr<const Annotations> annotations = nullptr;         ///< for the filter; null: none
};

enum class HeapOrigin : std::uint8_t {
    Recorded,    ///< its creation has a time, and perhaps a stack
    BeforeTrace, ///< its process is older than the trace, and its creation was not recorded
    NotRecorded, ///< it was created during the trace, without an event
    Malloc,      ///< kMallocHandle: no creator
};
/// "recorded", "before", "not-recorded", "malloc".
[[nodiscard]] std::string_view originWord(HeapOrigin origin);

/// Why committed bytes or slack are unknown.
enum class SlackGap : std::uint8_t {
    None,         ///< they are known
    NoRanges,     ///< the address ranges of the heap were not recorded
    NoCommits,    ///< no commits of pages in its ranges were recorded
    MoreLive,     ///< its ranges have more live than known committed bytes: commits are missing
    Gone,         ///< the heap was destroyed
    Ended,        ///< its process has ended, so its ranges are no longer known
    TooManyHeaps, ///< the trace has more heap events than the store keeps
};
/// A sentence; "" for None.
[[nodiscard]] std::string_view slackGapText(SlackGap gap);
/// "Slack is unknown because the heap was destroyed."
[[nodiscard]] std::string unknownSlackText(SlackGap gap);

/// A heap of a process at the end of the interval and over it: docs/numbers.md 21.
struct HeapFacts {
    std::string process; ///< "name.exe (pid)"
    Address handle = 0;
    HeapOrigin origin = HeapOrigin::NotRecorded;
    std::uint64_t creations = 0;                ///< recorded creations: a handle may be reused
    std::optional<TraceTime> created;           ///< the last creation
    std::optional<TraceTime> destroyed;         ///< nothing: it still exists
    std::vector<std::string> stack;             ///< stack of the last creation, innermost first; empty: none
    std::size_t ownerFrame = 0;                 ///< in `stack`
    std::uint64_t count = 0;                    ///< live blocks, at the end
    ByteCount bytes = 0;                        ///< bytes in these blocks
    ByteCount peak = 0;                         ///< highest in the interval
    SignedByteCount growth = 0;                 ///< over the interval
    std::optional<std::int64_t> bytesPerSecond; ///< the robust slope: Column::Slope
    std::optional<ByteCount> reserved;          ///< in its ranges
    std::optional<ByteCount> committed;         ///< part of `reserved`
    ByteCount liveInRanges = 0;                 ///< in all its blocks, regardless of the filter; if there are ranges
    std::optional<ByteCount> slack;             ///< committed - liveInRanges
    SlackGap gap = SlackGap::None;
    KeyPath path; ///< Process, Handle: the keys for filters
};
/// Its function, or the reason why it is unknown, in parentheses.
[[nodiscard]] std::string creatorText(const HeapFacts& heap);

struct HeapList {
    std::vector<HeapFacts> heaps; ///< largest first; equal ones by process and handle
    std::uint64_t count = 0;      ///< live blocks of all heaps
    ByteCount bytes = 0;          ///< sums wrap because sizes come from files
    TimeRange interval;           ///< limited to the extent of the trace
};

/// Lists the heaps that have blocks in the interval, or that existed at its end, or were created or destroyed in it.
/// Any thread. Errors: Cancelled, Usage.
[[nodiscard]] Result<HeapList> findHeaps(const store::PublishedTrace& trace, FrameLabels& labels,
                                         const HeapsQuery& query, const std::stop_token& stop = {});

} // namespace highwater::analysis
