#pragma once

#include "core/analysis/rows/row_selection.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// A part of an interval in which the outstanding amount of a process rose. A plain value.
struct Rise {
    TimeRange part{};               ///< empty: it never rose
    SignedByteCount bytes = 0;      ///< Impacting Size of the process in the part; 0: it never rose
    SignedByteCount startBytes = 0; ///< outstanding at the start of the part, without rows that end at this instant
};

/// The rises of a process (docs/numbers.md 13). Of equal parts the one that ends first, and then the shortest.
struct ProcessRise {
    ProcessIndex process;
    std::uint64_t rows = 0;        ///< in the whole interval
    Rise largest;                  ///< the part that rose most
    Rise steepest;                 ///< the one that rose most beyond kSteepness times the mean slope
    Rise later;                    ///< like `steepest`, but only of parts that begin after the start-up of the process
    bool isStartUp = false;        ///< `steepest` ends during the start-up
    SignedByteCount lastBytes = 0; ///< outstanding at the end of the interval, or before the process ended
};

/// A steep part rises at least this many times as fast as the largest rise would if it took the whole interval.
/// Therefore it takes at most a quarter of the interval.
inline constexpr std::uint64_t kSteepness = 4;
/// The start-up is the first of this many equal parts of the time that the process lived in the interval.
inline constexpr std::uint64_t kStartUps = 20;

/// The rises of every process that has rows in the selection, by process. Two passes over the events of the interval.
/// The selection is for heap or VirtualAlloc and has the column Process. Any thread. Nothing: stopped.
[[nodiscard]] std::optional<std::vector<ProcessRise>> findRises(const RowSelection& selection,
                                                                const std::stop_token& stop);

} // namespace highwater::analysis
