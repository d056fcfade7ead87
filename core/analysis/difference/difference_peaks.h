#pragma once

#include "core/analysis/difference/difference_entries.h"
#include "core/analysis/rows/row_selection.h"

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Peak Size of groups in one trace, by index in `groups`, which may be nested. `selection` is the source of the
/// entries of that trace, for heap or VirtualAlloc. Nothing: stopped. Any thread.
[[nodiscard]] std::optional<std::vector<std::int64_t>> peaksOf(const DifferenceEntries& entries,
                                                               std::span<const EntryRange> groups, std::uint32_t trace,
                                                               const RowSelection& selection,
                                                               const std::stop_token& stop);

/// The peak of the sum of these groups, which have no common rows, by slice. The edges cover the interval from its
/// start to its end. Nothing: stopped. Any thread.
[[nodiscard]] std::optional<std::vector<std::int64_t>>
levelsOf(const DifferenceEntries& entries, std::span<const EntryRange> groups, std::uint32_t trace,
         const RowSelection& selection, const std::vector<TraceTime>& edges, const std::stop_token& stop);
/// The interval of a selection, limited to the extent of its trace.
[[nodiscard]] TimeRange seenInterval(const RowSelection& selection);

} // namespace highwater::analysis
