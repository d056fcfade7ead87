#pragma once

#include "core/analysis/sweeps/groups_of_rows.h"
#include "core/analysis/sweeps/row_sweep.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Peaks of groups that share no row, in parts of the interval of the population: what RowSweep says, several times as
/// fast, because of a row that ends it looks at one word. Not with processExitFreesHeap, which ends rows without an
/// event. For the time of the pass it takes 4 bytes of memory a row, 8 with more than 255 groups.
class PeakPass {
  public:
    /// Both must outlive it.
    PeakPass(const RowPopulation& population, const GroupsOfRows& groups, RowSweep::Measure measure);
    ~PeakPass();

    /// opening: the levels at the first edge, by series. series: by group from 0 on (0 being group 1), the series in
    /// which it counts; empty: each is one. The edges lie in the interval. Peaks by series and slice. Nothing when
    /// stopped. May be called again; the words of the rows are made once.
    [[nodiscard]] std::optional<std::vector<std::vector<std::int64_t>>> run(const std::vector<std::uint64_t>& opening,
                                                                            std::span<const TraceTime> edges,
                                                                            std::span<const std::uint32_t> series,
                                                                            const std::stop_token& stop);

  private:
    struct Words;
    const RowPopulation& population_;
    const GroupsOfRows& groups_;
    RowSweep::Measure measure_;
    std::unique_ptr<Words> words_;
};

} // namespace highwater::analysis
