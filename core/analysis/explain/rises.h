#pragma once

#include "core/analysis/rows/row_selection.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// The part of an interval in which the outstanding amount of a process rose most: of all parts [a, b), the one with
/// the largest Impacting Size; of equal ones, the one that ends first, and then the shortest (docs/numbers.md 13).
struct ProcessRise {
    ProcessIndex process;
    std::uint64_t rows = 0;         ///< in the whole interval
    TimeRange part{};               ///< empty: it never rose
    SignedByteCount bytes = 0;      ///< 0: it never rose
    SignedByteCount startBytes = 0; ///< outstanding at the start of the part, without rows that end at this instant
    SignedByteCount lastBytes = 0;  ///< outstanding at the end of the interval, or before the process ended
};

/// The rise of every process that has rows in the selection, by process. One pass over the events of the interval. The
/// selection is for heap or VirtualAlloc and has the column Process. Any thread. Nothing: stopped.
[[nodiscard]] std::optional<std::vector<ProcessRise>> findRises(const RowSelection& selection,
                                                                const std::stop_token& stop);

} // namespace highwater::analysis
