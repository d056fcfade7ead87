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

/// The groups of a row: those of its cell, and its own.
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

/// Measures the levels of groups by visiting all events of a population's rows in time order. Peaks other than those of
/// whole tables are based on this. Releases by the end of a process (processExitFreesHeap) follow all other events of
/// their instant.
class RowSweep {
  public:
    /// The unit of levels.
    enum class Measure : std::uint8_t { Bytes, Rows };

    /// Both must outlive it.
    RowSweep(const RowPopulation& population, const RowGroups& groups, Measure measure = Measure::Bytes)
        : population_(population), groups_(groups), measure_(measure) {}

    /// Fills `levels`, which is open and has these edges, on all processors: parts of the interval are swept as if
    /// nothing preceded them, and joined. The population's interval must cover the edges. False: stopped. May be called
    /// again with other edges.
    bool run(const std::vector<TraceTime>& edges, std::size_t groups, SliceLevels& levels, const std::stop_token& stop);

  private:
    struct Exit {
        TraceTime time;
        RowId row = 0;
        ByteCount bytes = 0;
    };
    bool collectExits(const std::stop_token& stop);
    /// Slices at which a part starts, and the number of slices, for parts with about the same number of events.
    [[nodiscard]] std::vector<std::size_t> divide(const std::vector<TraceTime>& edges) const;
    void sweep(TimeRange range, SliceLevels& levels, const std::stop_token& stop) const;
    void apply(const RowEvent& event, SliceLevels& levels) const;
    /// False for unpublished releases, and for rows that the end of their process had already released.
    [[nodiscard]] bool counts(const RowEvent& event) const;

    const RowPopulation& population_;
    const RowGroups& groups_;
    Measure measure_;
    std::vector<Exit> exits_; ///< in time order
};

} // namespace highwater::analysis
