#include "core/analysis/flames/flame_amounts.h"

#include "core/analysis/rows/row_population.h"
#include "core/analysis/rows/stop_interval.h"
#include "core/analysis/sweeps/event_reader.h"
#include "core/analysis/table/peak_sweep.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

SignedByteCount amountIn(const Sums& sums, Column measure) {
    switch (measure) {
    case Column::Count:
        return static_cast<SignedByteCount>(sums.count);
    case Column::ImpactingSize:
        return static_cast<SignedByteCount>(sums.impacting);
    case Column::Allocated:
        return static_cast<SignedByteCount>(sums.allocated);
    case Column::Freed:
        return static_cast<SignedByteCount>(sums.freed);
    default:
        return static_cast<SignedByteCount>(sums.size);
    }
}

/// The amounts of all rows at one instant, summed by cell.
class InstantAmounts {
  public:
    InstantAmounts(const RowSelection& selection, const RowPopulation& population, const CellIndex& index,
                   std::size_t cells)
        : selection_(selection), population_(population), index_(index), amounts_(cells) {}

    /// Adds everything before t. False: stopped.
    bool takeBefore(TraceTime t, const std::stop_token& stop) {
        if (!selection_.singleRows()) return takeMembersBefore(t, stop);
        std::uint32_t seen = 0;
        for (const auto row : *selection_.singleRows()) {
            if (++seen % kStopEvery == 0 && stop.stop_requested()) return false;
            amounts_[cellOfSingle(row)] += heldBefore(static_cast<RowId>(row), t);
        }
        return true;
    }
    /// Adds the events at t one by one, up to the point where the sum is highest. Ends of processes come last and only
    /// reduce it.
    void riseAt(TraceTime t) {
        if (t.ns >= population_.rows().bounds().t1) return; // an interval of length 0
        const auto& view = population_.rows().view();
        std::uint64_t level = 0;
        SignedByteCount highest = 0; // above the level before t
        std::size_t taken = 0;
        std::vector<std::pair<std::size_t, std::uint64_t>> changes;
        EventReader reader(view, EventReader::firstFrom(view, t));
        while (!reader.atEnd()) {
            const auto event = reader.next();
            if (event.time != t) break;
            const auto cell = counts(event) ? cellOf(event.row) : std::nullopt;
            if (!cell) continue;
            changes.emplace_back(*cell, event.delta);
            level += event.delta;
            if (static_cast<SignedByteCount>(level) <= highest) continue;
            highest = static_cast<SignedByteCount>(level);
            taken = changes.size();
        }
        for (std::size_t i = 0; i < taken; ++i)
            amounts_[changes[i].first] += changes[i].second;
    }
    [[nodiscard]] std::vector<SignedByteCount> amounts() const { return {amounts_.begin(), amounts_.end()}; }

  private:
    bool takeMembersBefore(TraceTime t, const std::stop_token& stop) {
        const auto workers = population_.workers();
        std::vector<std::vector<std::uint64_t>> parts(workers, std::vector<std::uint64_t>(amounts_.size()));
        const auto add = [&](unsigned worker, std::span<const Member> members) {
            for (const auto& member : members)
                parts[worker][member.cell] += heldBefore(static_cast<RowId>(member.row), t);
        };
        if (!population_.visitMembers(workers, stop, add)) return false;
        for (const auto& part : parts) {
            for (std::size_t cell = 0; cell < part.size(); ++cell)
                amounts_[cell] += part[cell];
        }
        return true;
    }
    [[nodiscard]] std::uint64_t heldBefore(RowId row, TraceTime t) const {
        const auto& rows = population_.rows();
        return rows.view().begin(row) < t ? rows.view().size(row) - rows.releasedBefore(row, t) : 0;
    }
    /// As in RowSweep: counts published releases, unless the end of the process released the row before.
    [[nodiscard]] bool counts(const RowEvent& event) const {
        const auto& rows = population_.rows();
        return event.kind == RowEvent::Kind::Begin ||
               (event.time < rows.view().horizon && event.time <= rows.end(event.row));
    }
    [[nodiscard]] std::optional<std::size_t> cellOf(RowId row) const {
        if (!selection_.singleRows()) {
            const auto cell = population_.cellOf(row);
            return cell == kNoCell ? std::nullopt : std::optional<std::size_t>(cell);
        }
        const auto& rows = *selection_.singleRows(); // in row order
        if (!std::binary_search(rows.begin(), rows.end(), RowRef{row})) return std::nullopt;
        return cellOfSingle(row);
    }
    [[nodiscard]] std::size_t cellOfSingle(RowRef row) const { return index_.find(population_.facts(row).key); }

    const RowSelection& selection_;
    const RowPopulation& population_;
    const CellIndex& index_;
    std::vector<std::uint64_t> amounts_;
};

/// Nothing: stopped.
std::optional<TraceTime> peakTimeOf(const RowSelection& selection, Table table, const std::stop_token& stop) {
    Query query;
    query.table = table;
    const NodeTree tree(query, selection);
    const std::vector<NodeTree::NodeId> all{NodeTree::NodeId{0}};
    const auto times = sweepPeakTimes({selection, tree, all}, stop);
    if (!times.hasValue() || times.value().empty()) return std::nullopt;
    return times.value().front();
}

} // namespace

std::optional<FlameAmounts> flameAmountsOf(const RowSelection& selection, Table table, Column measure,
                                           const std::stop_token& stop) {
    FlameAmounts answer;
    CellIndex index;
    if (!selection.singleRows()) {
        answer.cells = selection.cells();
    } else {
        std::uint32_t seen = 0;
        for (const auto row : *selection.singleRows()) {
            if (++seen % kStopEvery == 0 && stop.stop_requested()) return std::nullopt;
            const auto facts = selection.population().facts(row);
            const auto cell = index.cellOf(facts.key, answer.cells); // may append a cell
            answer.cells[cell].sums += facts.sums;
        }
    }
    const auto* rows = dynamic_cast<const RowPopulation*>(&selection.population());
    if (measure != Column::PeakSize || rows == nullptr) {
        for (const auto& cell : answer.cells)
            answer.amounts.push_back(amountIn(cell.sums, measure));
        return answer;
    }
    answer.peakTime = peakTimeOf(selection, table, stop);
    if (!answer.peakTime) return std::nullopt;
    InstantAmounts instant(selection, *rows, index, answer.cells.size());
    if (!instant.takeBefore(*answer.peakTime, stop)) return std::nullopt;
    instant.riseAt(*answer.peakTime);
    answer.amounts = instant.amounts();
    return answer;
}

} // namespace highwater::analysis
