#pragma once

#include "core/analysis/rows/population.h"

namespace highwater::analysis {

/// The rows of every cell, found in a single operation for callers that read cell after cell. Takes 8 bytes per row.
/// Immutable; any thread.
class CellRows {
  public:
    /// Nothing: stopped.
    static std::optional<CellRows> collect(const Population& population, const std::stop_token& stop);

    /// In row order.
    [[nodiscard]] std::span<const RowRef> of(std::uint32_t cell) const;

  private:
    CellRows() = default;

    std::vector<RowRef> rows_;
    std::vector<std::uint64_t> firsts_; ///< by cell, and one past the last
};

} // namespace highwater::analysis
