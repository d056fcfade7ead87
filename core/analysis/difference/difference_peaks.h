#pragma once

#include "core/analysis/difference/difference_entries.h"
#include "core/analysis/rows/row_selection.h"

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Peak Size of groups in one trace, by place in `groups`: of groups that lie in each other, too. `selection` is what
/// the entries of that trace were made of, a heap's or VirtualAlloc's. Nothing when stopped. Any thread.
[[nodiscard]] std::optional<std::vector<std::int64_t>> peaksOf(const DifferenceEntries& entries,
                                                               std::span<const EntryRange> groups, std::uint32_t trace,
                                                               const RowSelection& selection,
                                                               const std::stop_token& stop);

/// The most that these groups, which share no row, have outstanding together, by slice: edges from the start of the
/// interval to its end. Nothing when stopped. Any thread.
[[nodiscard]] std::optional<std::vector<std::int64_t>>
levelsOf(const DifferenceEntries& entries, std::span<const EntryRange> groups, std::uint32_t trace,
         const RowSelection& selection, const std::vector<TraceTime>& edges, const std::stop_token& stop);
/// The interval of a selection, as far as its trace reaches.
[[nodiscard]] TimeRange seenInterval(const RowSelection& selection);

} // namespace highwater::analysis
