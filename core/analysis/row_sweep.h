#pragma once

#include "core/analysis/event_reader.h"
#include "core/analysis/row_population.h"

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
    using Lists = tsl::robin_map<std::uint32_t, std::vector<std::uint32_t>>;

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

/// Goes through all that happens to the rows of a population in [t0, t1), in the order in which it happened: what peaks of
/// anything but whole tables are read from. Releases by the end of a process (processExitFreesHeap) come after all other
/// events of their instant.
class RowSweep {
  public:
    RowSweep(const RowPopulation& population, const RowGroups& groups) : population_(population), groups_(groups) {}

    /// apply(time, group, delta in two's complement). False when stopped.
    template <typename Apply>
    bool run(const std::stop_token& stop, Apply apply) {
        if (!collectExits(stop)) return false;
        const auto& rows = population_.rows();
        const auto bounds = rows.bounds();
        EventReader reader(rows.view(), EventReader::firstFrom(rows.view(), TraceTime{bounds.t0}), EventReader::Reach::Far);
        std::size_t exit = 0;
        const auto applyTo = [&](TraceTime time, RowId row, std::uint64_t delta) {
            groups_.visit(population_, row, [&](std::uint32_t group) { apply(time, group, delta); });
        };
        while (!reader.atEnd()) {
            if ((reader.position() & 0xFFFF) == 0 && stop.stop_requested()) return false;
            const auto event = reader.next();
            if (event.time.ns >= bounds.t1) break;
            for (; exit < exits_.size() && exits_[exit].time < event.time; ++exit) {
                applyTo(exits_[exit].time, exits_[exit].row, std::uint64_t{0} - exits_[exit].bytes);
            }
            if (counts(event)) applyTo(event.time, event.row, event.delta);
        }
        for (; exit < exits_.size(); ++exit) {
            applyTo(exits_[exit].time, exits_[exit].row, std::uint64_t{0} - exits_[exit].bytes);
        }
        return !stop.stop_requested();
    }

  private:
    struct Exit {
        TraceTime time;
        RowId row = 0;
        ByteCount bytes = 0;
    };
    bool collectExits(const std::stop_token& stop);
    /// False for releases that have not been published yet, or of what the end of the process had released before.
    [[nodiscard]] bool counts(const RowEvent& event) const {
        const auto& rows = population_.rows();
        if (event.kind == RowEvent::Kind::Begin) return true;
        return event.time < rows.view().horizon && event.time <= rows.end(event.row);
    }

    const RowPopulation& population_;
    const RowGroups& groups_;
    std::vector<Exit> exits_;
};

} // namespace highwater::analysis
