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

/// Peaks of groups without common rows, in parts of the population's interval: the result of RowSweep several times
/// faster, because it reads a single word for a row that ends. Not with processExitFreesHeap, which ends rows without
/// an event. During the pass, it uses 4 bytes of memory per row, 8 with more than 255 groups.
class PeakPass {
  public:
    /// Both must outlive it.
    PeakPass(const RowPopulation& population, const GroupsOfRows& groups, RowSweep::Measure measure);
    ~PeakPass();

    /// opening: the levels at the first edge, by series. series: by group from 0 (0 is group 1), the series in which it
    /// counts; empty: each group is a series. The edges are inside the interval. Returns peaks by series and slice.
    /// Nothing: stopped. May be called again; the words of the rows are computed only once.
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
