#pragma once

#include "core/analysis/rows/parallel_spans.h"
#include "core/store/published/published_trace.h"

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Consecutive rows that are read or skipped together in a sample.
inline constexpr std::uint64_t kSampleRows = 256;

/// [site] -> whether it belongs to the process.
[[nodiscard]] inline std::vector<std::uint8_t> sitesOf(const store::PublishedTrace& trace, const store::TableView& view,
                                                       ProcessIndex process) {
    std::vector<std::uint8_t> isOf(view.sites);
    for (std::uint32_t site = 0; site < view.sites; ++site)
        isOf[site] = trace.heapOf(view.columns->sites[SiteId{site}]).process == process ? 1 : 0;
    return isOf;
}

/// Calls visit(worker, row) for each row of the process before the horizon, except in spans that `skips` excludes.
/// Reads only every `sample`-th group of kSampleRows. False: stopped.
template <typename Skips, typename Visit>
bool visitRowsOf(const store::TableView& view, const std::vector<std::uint8_t>& isOf, std::uint32_t sample,
                 unsigned workers, const std::stop_token& stop, Skips skips, Visit visit) {
    using store::AllocationTable;
    const auto& rows = view.columns->rows;
    const auto spans = (view.rows + AllocationTable::kSpanRows - 1) >> AllocationTable::kSpanShift;
    return forEachSpan(spans, workers, stop, [&](unsigned worker, std::uint64_t span) {
        if (skips(span)) return;
        const auto last = std::min(view.rows, (span + 1) << AllocationTable::kSpanShift);
        for (auto block = span << AllocationTable::kSpanShift; block < last; block += kSampleRows * sample) {
            for (auto row = block; row < std::min(last, block + kSampleRows); ++row) {
                const auto id = static_cast<RowId>(row);
                if (isOf[rows.site(id).value] != 0 && rows.beginTime(id) < view.horizon) visit(worker, id);
            }
        }
    });
}

} // namespace highwater::analysis
