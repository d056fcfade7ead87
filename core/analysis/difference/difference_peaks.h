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

} // namespace highwater::analysis
