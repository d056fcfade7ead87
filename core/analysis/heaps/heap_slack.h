#pragma once

#include "core/analysis/heaps/heap_lives.h"
#include "core/analysis/rows/interval_rows.h"

#include <map>
#include <optional>
#include <stop_token>

namespace highwater::analysis {

/// The contents of a heap's ranges at the end of an interval.
struct RangeUse {
    ByteCount committed = 0; ///< pages of VirtualAlloc
    bool hasCommits = false;
    ByteCount live = 0; ///< blocks of the heap
};

/// For the heaps that have ranges. One pass over the rows of each table. Nothing: stopped.
[[nodiscard]] std::optional<std::map<HeapKey, RangeUse>> usesOfRanges(const store::PublishedTrace& trace,
                                                                      const std::map<HeapKey, HeapLife>& lives,
                                                                      const IntervalRows::Options& options,
                                                                      const std::stop_token& stop);

} // namespace highwater::analysis
