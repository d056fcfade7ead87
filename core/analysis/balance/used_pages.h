#pragma once

#include "core/analysis/balance/block_pages.h"
#include "core/analysis/balance/page_ranges.h"
#include "core/base/units.h"
#include "core/store/published/published_trace.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// The rows of a process whose memory is followed.
struct FollowedProcess {
    ProcessIndex process;
    PageRanges areas;               ///< addresses that samples can have blocks in
    std::vector<TraceTime> samples; ///< times of the samples, ascending, at least one
    BlockRules rules = BlockRules::Glibc;

    /// Rows that begin at or after this time do not matter.
    [[nodiscard]] TraceTime last() const { return endOfReading(samples.back()); }
    /// Visits the numbers of the samples which do not have a row of these times, but may have been read when it was
    /// there: up to endOfReading() after they were taken, or as long before.
    template <typename Visit>
    void eachMissing(TraceTime begin, TraceTime end, Visit visit) const {
        for (auto next = std::ranges::upper_bound(samples, begin); next != samples.begin();) {
            if (endOfReading(*--next) <= begin) break;
            visit(static_cast<std::size_t>(next - samples.begin()));
        }
        for (auto next = std::ranges::upper_bound(samples, end); next != samples.end(); ++next) {
            if (endOfReading(end) <= *next) break;
            visit(static_cast<std::size_t>(next - samples.begin()));
        }
    }
};

/// Memory that the program requested directly, or that malloc mapped for one block, and that began or ended while a
/// sample was read.
struct ChangedMemory {
    std::size_t sample = 0; ///< number
    PageRange pages;
    bool isBlock = false; ///< otherwise, it is a row of VirtualAlloc
};

/// What the rows of a process say about its pages.
struct UsedMemory {
    std::vector<UsedPage> pages;  ///< that blocks use at any time; ascending
    std::vector<ChangedMemory> changed; ///< by sample
};

/// The followed process of each site of a table; kNotFollowed: none.
inline constexpr std::uint32_t kNotFollowed = std::numeric_limits<std::uint32_t>::max();
[[nodiscard]] std::vector<std::uint32_t> followedSites(const store::PublishedTrace& trace, store::TableKind kind,
                                                       const std::vector<FollowedProcess>& processes);

/// Visits at least the rows that exist at any time from `samples.start` to `samples.end`: those that begin before
/// it and do not end before it. False: stopped.
template <typename Visit>
bool eachRowThere(const store::TableView& view, TimeRange samples, const std::stop_token& stop, Visit visit) {
    using store::AllocationTable;
    // A row that ends at a sample exists at it, but is not in an interval that begins with the sample.
    const TimeRange interval{TraceTime{samples.start.ns - 1}, samples.end};
    const auto spans = (view.rows + AllocationTable::kSpanRows - 1) >> AllocationTable::kSpanShift;
    for (std::uint64_t span = 0; span < spans; ++span) {
        if (stop.stop_requested()) return false;
        if (view.columns->rows.spanIsOutside(span, interval)) continue;
        const auto first = span << AllocationTable::kSpanShift;
        const auto last = std::min(view.rows, first + AllocationTable::kSpanRows);
        for (auto row = first; row < last; ++row)
            visit(static_cast<RowId>(row));
    }
    return true;
}

/// For each process: one pass over the rows. Nothing: stopped.
[[nodiscard]] std::optional<std::vector<UsedMemory>> findUsedMemory(const store::PublishedTrace& trace,
                                                                    const std::vector<FollowedProcess>& processes,
                                                                    const std::stop_token& stop);

} // namespace highwater::analysis
