#pragma once

#include "core/analysis/balance/block_pages.h"
#include "core/analysis/balance/page_ranges.h"
#include "core/base/units.h"
#include "core/store/published/published_trace.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// A process whose memory is followed, as far as its rows matter.
struct FollowedProcess {
    ProcessIndex process;
    PageRanges areas; ///< addresses that samples can have blocks in
    TraceTime last;   ///< rows that begin at or after it do not matter
};

/// The followed process of each site of a table; kNotFollowed: none.
inline constexpr std::uint32_t kNotFollowed = std::numeric_limits<std::uint32_t>::max();
[[nodiscard]] std::vector<std::uint32_t> followedSites(const store::PublishedTrace& trace, store::TableKind kind,
                                                       const std::vector<FollowedProcess>& processes);

/// For each process, the pages that blocks use at any time: one pass over the heap rows. Nothing: stopped.
[[nodiscard]] std::optional<std::vector<std::vector<UsedPage>>>
findUsedPages(const store::PublishedTrace& trace, const std::vector<FollowedProcess>& processes,
              const std::stop_token& stop);

} // namespace highwater::analysis
