#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::analysis {

struct AddressQuery {
    Address address = 0;
    std::optional<std::uint32_t> pid = std::nullopt; ///< none: all processes
    std::size_t most = 1000;                         ///< if there are more, the newest
    bool processExitFreesHeap = false;
    std::optional<TraceTime> at = std::nullopt; ///< only rows that had it at this instant; no frees
};

/// A row whose memory contained the address, or an unmatched free of it.
struct AddressUse {
    store::TableKind table = store::TableKind::Heap;
    bool isUnmatchedFree = false;
    std::string process = {}; ///< "name.exe (pid)"
    Address heap = 0;         ///< 0: VirtualAlloc
    Address address = 0;      ///< start of the block or of the pages
    ByteCount size = 0;       ///< for an unmatched free: as recorded
    TraceTime begin = kBeforeTrace;
    TraceTime end = kNever; ///< for an unmatched free: its time
    store::EndKind endKind = store::EndKind::None;
    ByteCount releasedInParts = 0; ///< before the end of the row: the address may have been released before `end`
    ThreadId thread = {};          ///< the allocating thread
    ThreadId endThread = {};
    std::vector<std::string> stack = {}; ///< allocation stack, innermost first; only "(no stack)" if there is none
    std::size_t ownerFrame = 0;          ///< in `stack`: the function that requested the memory
    /// Stack of the event that ended it; empty while outstanding. If no end of that kind has a stack in the whole
    /// trace, one sentence in parentheses says that such stacks were not recorded.
    std::vector<std::string> endStack = {};
};

struct AddressHistory {
    std::uint64_t count = 0;      ///< including those that are not in `uses`
    std::vector<AddressUse> uses; ///< by start time; unmatched frees by their time
};

/// Finds all rows of both tables in the whole trace whose [address, address + size) contains the address (a row of 0
/// bytes: that starts there), and the unmatched frees at it. One pass over the rows, on all processors. Any thread.
/// Errors: Cancelled.
[[nodiscard]] Result<AddressHistory> findAddress(const store::PublishedTrace& trace, FrameLabels& labels,
                                                 const AddressQuery& query, const std::stop_token& stop = {});

/// "0x7ff612340000", with or without 0x. Ignores "`" between digits, which debuggers print. Nothing: not an address.
[[nodiscard]] std::optional<Address> parseAddress(std::string_view text);

} // namespace highwater::analysis
