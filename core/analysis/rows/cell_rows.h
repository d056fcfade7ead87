#pragma once

#include "core/analysis/rows/population.h"

namespace highwater::analysis {

/// The rows of every cell, found in one go: for whoever asks for those of one cell after the other. Takes 8 bytes a
/// row. Immutable; any thread.
class CellRows {
  public:
    /// Nothing when stopped.
    static std::optional<CellRows> collect(const Population& population, const std::stop_token& stop);

    /// In row order.
    [[nodiscard]] std::span<const RowRef> of(std::uint32_t cell) const;

  private:
    CellRows() = default;

    std::vector<RowRef> rows_;
    std::vector<std::uint64_t> firsts_; ///< by cell, and the end of the last one
};

} // namespace highwater::analysis
