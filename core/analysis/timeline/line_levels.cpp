#include "core/analysis/timeline/line_levels.h"

#include "core/analysis/columns/column_specs.h"
#include "core/analysis/rows/snapshot_population.h"
#include "core/analysis/rows/stop_interval.h"

#include <algorithm>
#include <map>
#include <utility>

namespace highwater::analysis {

LineLevels::LineLevels(const RowSelection& selection, const TimelineQuery& query)
    : selection_(selection), table_(query.table), measure_(query.measure), tree_(selection, query) {}

std::uint32_t LineLevels::groupOf(NodeId leaf) {
    const auto [entry, isNew] = groups_.try_emplace(leaf, groupCount());
    if (isNew) leaves_.push_back(leaf);
    return entry->second;
}

bool LineLevels::find(const std::stop_token& stop) {
    if (!tree_.node(LineTree::kRoot).isOpen) (void)groupOf(LineTree::kRoot); // the total exists even without rows
    if (selection_.singleRows()) return addRows(*selection_.singleRows(), stop);
    std::vector<std::uint8_t> toldApart(selection_.cells().size(), 0);
    bool isAny = false;
    for (std::size_t cell = 0; cell < toldApart.size(); ++cell) {
        const auto leaf = tree_.leafOf(selection_.cells()[cell].key);
        groupOfCell_.push_back(leaf ? groupOf(*leaf) : kNoGroup);
        if (leaf) continue;
        toldApart[cell] = 1;
        isAny = true;
    }
    if (!isAny) return !stop.stop_requested();
    auto rows = selection_.rowsOf(toldApart, stop);
    return rows && addRows(std::move(*rows), stop);
}

bool LineLevels::addRows(std::vector<RowRef> rows, const std::stop_token& stop) {
    rows_ = std::move(rows);
    groupOfRow_.reserve(rows_.size());
    for (const auto row : rows_) {
        groupOfRow_.push_back(groupOf(tree_.leafOf(selection_.population().facts(row))));
        if (groupOfRow_.size() % kStopEvery == 0 && stop.stop_requested()) return false;
    }
    return !stop.stop_requested();
}

std::optional<std::vector<std::vector<SignedByteCount>>> LineLevels::measure(const std::vector<TraceTime>& edges,
                                                                             std::vector<std::uint32_t> lineOfGroup,
                                                                             std::size_t lines,
                                                                             const std::stop_token& stop) {
    lineOf_ = std::move(lineOfGroup);
    SliceLevels slices(edges, lines);
    if (!measure(edges, lines, slices, stop)) return std::nullopt;
    std::vector<std::vector<SignedByteCount>> values;
    for (std::uint32_t line = 0; line < lines; ++line)
        values.push_back(std::move(slices.values(line)));
    return values;
}

std::uint64_t LineLevels::opening(RowType type, const Sums& sums) const {
    if (measure_ == TimelineMeasure::Bytes) return sums.opening;
    return type == RowType::AOFI || type == RowType::AOFO ? sums.rows : 0;
}

bool LineLevels::measure(const std::vector<TraceTime>& edges, std::size_t lines, SliceLevels& slices,
                         const std::stop_token& stop) {
    const auto* population = dynamic_cast<const RowPopulation*>(&selection_.population());
    if (dynamic_cast<const SnapshotPopulation*>(&selection_.population()) != nullptr) {
        measureInstances(edges, slices);
        return !stop.stop_requested();
    }
    if (isOfEvents(table_)) return measureEvents(slices, stop);
    if (population->rows().exits().empty()) return measureFast(*population, edges, lines, slices, stop);
    RowGroups groups(selection_.cells().size());
    for (std::uint32_t cell = 0; cell < groupOfCell_.size(); ++cell) {
        if (groupOfCell_[cell] == kNoGroup) continue;
        const auto group = lineOf_[groupOfCell_[cell]];
        groups.addCell(cell, group);
        const auto& [key, sums] = selection_.cells()[cell];
        slices.open(group, opening(key.type, sums));
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const auto group = lineOf_[groupOfRow_[i]];
        groups.addRow(static_cast<RowId>(rows_[i]), group);
        const auto facts = population->facts(rows_[i]);
        slices.open(group, opening(facts.key.type, facts.sums));
    }
    return RowSweep(*population, groups, sweepMeasure()).run(edges, lines, slices, stop);
}

bool LineLevels::measureFast(const RowPopulation& population, const std::vector<TraceTime>& edges, std::size_t lines,
                             SliceLevels& slices, const std::stop_token& stop) {
    const bool isFirst = !pass_;
    if (isFirst) {
        ofRows_.count = groupCount();
        ofRows_.ofCells.resize(selection_.cells().size());
        pass_ = std::make_unique<PeakPass>(population, ofRows_, sweepMeasure());
    }
    std::vector<std::uint64_t> openings(lines);
    for (std::size_t cell = 0; cell < groupOfCell_.size(); ++cell) {
        if (groupOfCell_[cell] == kNoGroup) continue;
        ofRows_.ofCells[cell] = groupOfCell_[cell] + 1;
        const auto& [key, sums] = selection_.cells()[cell];
        openings[lineOf_[groupOfCell_[cell]]] += opening(key.type, sums);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (isFirst) ofRows_.ofRows.push_back({static_cast<RowId>(rows_[i]), groupOfRow_[i] + 1});
        const auto facts = population.facts(rows_[i]);
        openings[lineOf_[groupOfRow_[i]]] += opening(facts.key.type, facts.sums);
    }
    auto peaks = pass_->run(openings, edges, lineOf_, stop);
    if (!peaks) return false;
    for (std::uint32_t line = 0; line < lines; ++line) {
        slices.values(line) = std::move((*peaks)[line]);
    }
    return true;
}

/// Sums of releases, or allocations, in each slice.
bool LineLevels::measureEvents(SliceLevels& slices, const std::stop_token& stop) const {
    const auto& population = selection_.population();
    const auto add = [&](RowRef row, std::uint32_t group) {
        const auto facts = population.facts(row);
        const auto amount = measure_ == TimelineMeasure::Bytes ? facts.sums.size : facts.sums.count;
        slices.add(facts.end, lineOf_[group], amount);
    };
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        add(rows_[i], groupOfRow_[i]);
    }
    const auto isGroup = [](auto group) { return group != kNoGroup; };
    if (std::none_of(groupOfCell_.begin(), groupOfCell_.end(), isGroup)) return true;
    return population.visitMembers(1, stop, [&](unsigned, std::span<const Member> members) {
        for (const auto& member : members) {
            if (groupOfCell_[member.cell] != kNoGroup) add(member.row, groupOfCell_[member.cell]);
        }
    });
}

/// Instances do not add up: a slice has the largest of its instances.
void LineLevels::measureInstances(const std::vector<TraceTime>& edges, SliceLevels& slices) const {
    const auto amountOf = [&](const Sums& sums) { return measure_ == TimelineMeasure::Bytes ? sums.size : sums.count; };
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> amounts; ///< by instance and group
    for (std::size_t cell = 0; cell < groupOfCell_.size(); ++cell) {
        if (groupOfCell_[cell] == kNoGroup) continue;
        const auto& [key, sums] = selection_.cells()[cell];
        amounts[{key.instance, lineOf_[groupOfCell_[cell]]}] += amountOf(sums);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const auto facts = selection_.population().facts(rows_[i]);
        amounts[{facts.key.instance, lineOf_[groupOfRow_[i]]}] += amountOf(facts.sums);
    }
    for (const auto& [of, amount] : amounts) {
        CellKey cell;
        cell.instance = of.first;
        const TraceTime time{static_cast<std::int64_t>(selection_.reader().key(Column::SnapTime, cell))};
        const auto after = std::ranges::upper_bound(edges, time) - edges.begin();
        // An instance at the end of the interval belongs to the last slice.
        const auto slice = std::clamp<std::ptrdiff_t>(after, 1, static_cast<std::ptrdiff_t>(edges.size()) - 1) - 1;
        auto& value = slices.values(of.second)[static_cast<std::size_t>(slice)];
        value = std::max(value, static_cast<SignedByteCount>(amount));
    }
}

} // namespace highwater::analysis
