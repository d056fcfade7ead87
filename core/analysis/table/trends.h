#pragma once

#include "core/analysis/columns/columns.h"
#include "core/analysis/table/peak_sweep.h"

#include <cstdint>
#include <optional>

namespace highwater::analysis {

/// The outstanding amount of a group over the interval: docs/numbers.md 4, Slope and Trend.
struct Trend {
    Series highest;                             ///< for each of kTrendParts parts
    std::optional<std::int64_t> bytesPerSecond; ///< nothing: the interval is empty
};

/// By node, in one pass for all of them. Empty for Frees.
[[nodiscard]] Result<std::vector<Trend>> computeTrends(const SweptNodes& swept, const std::stop_token& stop);

} // namespace highwater::analysis
