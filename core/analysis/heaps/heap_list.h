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

/// The handle that all blocks of a program of Linux have: what malloc and its like gave out.
inline constexpr Address kMallocHandle = 1;

struct HeapsQuery {
    TimeRange interval;
    RowFilter filter = {}; ///< of blocks: heaps without any such are left out
    bool processExitFreesHeap = false;
    std::shared_ptr<const AllocatorFrames> allocatorFrames = nullptr; ///< that creators lie behind; null: none
    SharedMarks marks = nullptr;                                      ///< for the filter
    std::shared_ptr<const Annotations> annotations = nullptr;         ///< for the filter; null: none
};

enum class HeapOrigin : std::uint8_t {
    Recorded,    ///< its creation was: there is a time, and perhaps a stack
    BeforeTrace, ///< its process is older than the trace, and its creation was not recorded
    NotRecorded, ///< it was made during the trace, unseen
    Malloc,      ///< kMallocHandle: nobody made it
};
/// "recorded", "before", "not-recorded", "malloc".
[[nodiscard]] std::string_view originWord(HeapOrigin origin);

/// Why nothing is said of committed bytes or of slack.
enum class SlackGap : std::uint8_t {
    None,         ///< it is said
    NoRanges,     ///< which addresses belong to the heap was not recorded
    NoCommits,    ///< no pages that were committed in its ranges were recorded
    MoreLive,     ///< more bytes are live in its ranges than are known to be committed: something is missing
    Gone,         ///< the heap was destroyed
    Ended,        ///< its process has ended, and with it what was known of its ranges
    TooManyHeaps, ///< the trace has more events of heaps than are kept
};
/// A sentence; "" for None.
[[nodiscard]] std::string_view slackGapText(SlackGap gap);

/// A heap of a process, at the end of the interval and over it: docs/numbers.md 21.
struct HeapFacts {
    std::string process; ///< "name.exe (pid)"
    Address handle = 0;
    HeapOrigin origin = HeapOrigin::NotRecorded;
    std::uint64_t creations = 0;                ///< that were recorded: a handle may come again
    std::optional<TraceTime> created;           ///< the last of them
    std::optional<TraceTime> destroyed;         ///< nothing: it is there
    std::vector<std::string> stack;             ///< of the last creation, innermost first; empty: none
    std::size_t ownerFrame = 0;                 ///< of `stack`
    std::uint64_t count = 0;                    ///< live blocks, at the end
    ByteCount bytes = 0;                        ///< in them
    ByteCount peak = 0;                         ///< the highest of the interval
    SignedByteCount growth = 0;                 ///< over the interval
    std::optional<std::int64_t> bytesPerSecond; ///< the robust slope: Column::Slope
    std::optional<ByteCount> reserved;          ///< in its ranges
    std::optional<ByteCount> committed;         ///< of that
    ByteCount liveInRanges = 0;                 ///< of all its blocks, whatever the filter; where there are ranges
    std::optional<ByteCount> slack;             ///< committed - liveInRanges
    SlackGap gap = SlackGap::None;
    KeyPath path; ///< Process, Handle: what filters are made of
};
/// Its function, or in brackets why there is none.
[[nodiscard]] std::string creatorText(const HeapFacts& heap);

struct HeapList {
    std::vector<HeapFacts> heaps; ///< the largest first, of equal ones by process and handle
    std::uint64_t count = 0;      ///< live blocks of all
    ByteCount bytes = 0;          ///< sums wrap: sizes come from files
    TimeRange interval;           ///< as far as the trace goes
};

/// The heaps that have blocks in the interval, or that are known to have been there at its end or to have been made or
/// destroyed in it. Any thread. Errors: Cancelled, Usage.
[[nodiscard]] Result<HeapList> findHeaps(const store::PublishedTrace& trace, FrameLabels& labels,
                                         const HeapsQuery& query, const std::stop_token& stop = {});

} // namespace highwater::analysis
