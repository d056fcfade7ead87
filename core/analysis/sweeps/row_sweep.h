#pragma once

#include "core/analysis/rows/row_population.h"
#include "core/analysis/sweeps/event_reader.h"
#include "core/analysis/sweeps/slice_levels.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Which groups a row counts in: those of its cell, and those that were given to it alone.
class RowGroups {
  public:
    explicit RowGroups(std::size_t cells) : firstOfCell_(cells, kNone) {}

    void addCell(std::uint32_t cell, std::uint32_t group) {
        if (firstOfCell_[cell] == kNone) {
            firstOfCell_[cell] = group;
        } else {
            moreOfCell_[cell].push_back(group);
        }
    }
    void addRow(RowId row, std::uint32_t group) { ofRow_[row].push_back(group); }

    template <typename Visit>
    void visit(const RowPopulation& population, RowId row, Visit visit) const {
        const auto cell = population.cellOf(row);
        if (cell == kNoCell) return;
        if (firstOfCell_[cell] != kNone) visit(firstOfCell_[cell]);
        visitAll(moreOfCell_, cell, visit);
        visitAll(ofRow_, row, visit);
    }

  private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
    using Lists = tsl::robin_map<std::uint32_t, std::vector<std::uint32_t>, SeededHash>;

    template <typename Visit>
    static void visitAll(const Lists& lists, std::uint32_t key, Visit visit) {
        if (lists.empty()) return;
        const auto found = lists.find(key);
        if (found == lists.end()) return;
        for (const auto group : found->second) {
            visit(group);
        }
    }

    std::vector<std::uint32_t> firstOfCell_; ///< most cells have one group
    Lists moreOfCell_;
    Lists ofRow_;
};

/// Measures the levels of groups by going through all that happened to the rows of a population, in the order in which
/// it happened: what peaks of anything but whole tables are read from. Releases by the end of a process
/// (processExitFreesHeap) come after all other events of their instant.
class RowSweep {
  public:
    /// What a level is.
    enum class Measure : std::uint8_t { Bytes, Rows };

    /// Both must outlive it.
    RowSweep(const RowPopulation& population, const RowGroups& groups, Measure measure = Measure::Bytes)
        : population_(population), groups_(groups), measure_(measure) {}

    /// Fills `levels`, which is open and has these edges, on all processors: parts of the interval are swept as if
    /// nothing was before them, and joined. The interval of the population must reach from the first edge to the last.
    /// False when stopped. May be called again, with other edges.
    bool run(const std::vector<TraceTime>& edges, std::size_t groups, SliceLevels& levels, const std::stop_token& stop);

  private:
    struct Exit {
        TraceTime time;
        RowId row = 0;
        ByteCount bytes = 0;
    };
    bool collectExits(const std::stop_token& stop);
    /// Slices where a part begins, and the number of slices: parts with about the same number of events.
    [[nodiscard]] std::vector<std::size_t> divide(const std::vector<TraceTime>& edges) const;
    void sweep(TimeRange range, SliceLevels& levels, const std::stop_token& stop) const;
    void apply(const RowEvent& event, SliceLevels& levels) const;
    /// False for releases that have not been published yet, or of what the end of the process had released before.
    [[nodiscard]] bool counts(const RowEvent& event) const;

    const RowPopulation& population_;
    const RowGroups& groups_;
    Measure measure_;
    std::vector<Exit> exits_; ///< in order of time
};

} // namespace highwater::analysis
