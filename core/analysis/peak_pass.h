#pragma once

#include "core/analysis/row_sweep.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// The group of every row by RowId, from 1 on; 0: none.
using GroupOfRow = std::vector<std::uint16_t>;

/// Peaks of groups that share no row, over the whole interval of the population: what RowSweep with one slice would
/// say, three times as fast, because of a row that ends it looks at its group and its size alone. Not with
/// processExitFreesHeap, which ends rows without an event.
class PeakPass {
  public:
    static constexpr std::size_t kMostGroups = 0xFFFF;

    /// Both must outlive it. groups: without the 0.
    PeakPass(const RowPopulation& population, const GroupOfRow& groupOfRow, std::size_t groups,
             RowSweep::Measure measure);

    /// opening: the levels at the start of the interval. By group, from 0 on. Nothing when stopped.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> run(const std::vector<std::uint64_t>& opening,
                                                               const std::stop_token& stop) const;

  private:
    struct Level {
        std::uint64_t level = 0; ///< since the part began; may wrap
        std::int64_t peak = 0;
    };
    /// Events [first, last), by group from 1 on.
    [[nodiscard]] std::vector<Level> sweep(std::uint64_t first, std::uint64_t last, const std::stop_token& stop) const;

    const RowPopulation& population_;
    const GroupOfRow& groupOfRow_;
    std::size_t groups_;
    RowSweep::Measure measure_;
};

} // namespace highwater::analysis
