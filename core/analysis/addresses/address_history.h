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
    std::optional<std::uint32_t> pid = std::nullopt; ///< none: of any process
    std::size_t most = 1000;                         ///< of more, the newest
    bool processExitFreesHeap = false;
    std::optional<TraceTime> at = std::nullopt; ///< only who had it at this instant; of frees none
};

/// A row whose memory had the address; or a free of it that nobody had allocated.
struct AddressUse {
    store::TableKind table = store::TableKind::Heap;
    bool isUnmatchedFree = false;
    std::string process = {}; ///< "name.exe (pid)"
    Address heap = 0;         ///< 0: VirtualAlloc
    Address address = 0;      ///< where the block, or the pages, begin
    ByteCount size = 0;       ///< of an unmatched free as it says
    TraceTime begin = kBeforeTrace;
    TraceTime end = kNever; ///< of an unmatched free when it was
    store::EndKind endKind = store::EndKind::None;
    ByteCount releasedInParts = 0; ///< before the last of it went: the address may have been gone before `end`
    ThreadId thread = {};          ///< that allocated
    ThreadId endThread = {};
    std::vector<std::string> stack = {}; ///< of the allocation, innermost first; "(no stack)" alone without one
    std::size_t ownerFrame = 0;          ///< of `stack`: who asked for the memory
    /// Of what ended it; empty while it is outstanding. One sentence in brackets where no end of that kind has a stack
    /// in the whole trace: none was recorded.
    std::vector<std::string> endStack = {};
};

struct AddressHistory {
    std::uint64_t count = 0;      ///< also of those that are not among `uses`
    std::vector<AddressUse> uses; ///< in the order of their begin, of unmatched frees of their time
};

/// All rows of both tables, of the whole trace, whose [address, address + size) holds the address (a row of 0 bytes:
/// that begins there), and the unmatched frees at it. One pass over the rows, on all processors. Any thread. Errors:
/// Cancelled.
[[nodiscard]] Result<AddressHistory> findAddress(const store::PublishedTrace& trace, FrameLabels& labels,
                                                 const AddressQuery& query, const std::stop_token& stop = {});

/// "0x7ff612340000", with or without 0x; "`" between digits, as debuggers print, means nothing. Nothing: no address.
[[nodiscard]] std::optional<Address> parseAddress(std::string_view text);

} // namespace highwater::analysis
