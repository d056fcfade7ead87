#include "core/analysis/difference/difference_impl.h"
#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/rows/row_population.h"
#include "core/analysis/rows/snapshot_population.h"

#include <set>

namespace highwater::analysis {
namespace {

using Step = DifferenceEntries::Step;

constexpr std::uint32_t kStopCells = 1u << 10; ///< their stacks take most of the time

Step stepOf(std::size_t key, std::uint32_t place) { return (Step{key} << 32) | place; }

} // namespace

Result<void> Difference::Impl::select(const std::stop_token& stop) {
    ColumnSet columns{Column::Process};
    for (const auto key : query.keys)
        columns.add(key);
    if (query.isByOwner) columns.add(Column::StackBottomUp);
    for (std::size_t i = 0; i < traces; ++i) {
        const auto& compared = traceOf(i);
        SelectionQuery question{query.table,      compared.interval,          Membership::Table,          columns,
                                &compared.filter, query.processExitFreesHeap, query.allocatorFrames.get()};
        question.instances = compared.instances;
        auto selected = TRY(RowSelection::make(*compared.trace, *compared.labels, question, stop));
        selections.push_back(std::move(selected));
        std::set<std::uint32_t> processes;
        for (const auto& cell : selections.back()->cells())
            processes.insert(static_cast<std::uint32_t>(selections.back()->reader().key(Column::Process, cell.key)));
        texts.addModulesOf(i, processes);
    }
    return {};
}

std::vector<Sums> Difference::Impl::sumsOfCells(const RowSelection& selection) const {
    std::vector<Sums> sums(selection.cells().size());
    if (!selection.singleRows()) {
        for (std::size_t cell = 0; cell < sums.size(); ++cell)
            sums[cell] = selection.cells()[cell].sums;
        return sums;
    }
    if (const auto* blocks = dynamic_cast<const SnapshotPopulation*>(&selection.population())) {
        for (const auto block : *selection.singleRows())
            sums[blocks->cellOf(block)] += blocks->facts(block).sums;
        return sums;
    }
    const auto& population = dynamic_cast<const RowPopulation&>(selection.population());
    for (const auto row : *selection.singleRows())
        sums[population.cellOf(static_cast<RowId>(row))] += population.facts(row).sums;
    return sums;
}

std::uint32_t Difference::Impl::processOf(std::uint32_t trace, const CellKey& cell) {
    const auto& reader = selections[trace]->reader();
    return texts.process(trace, reader.text(Column::ProcessName, reader.key(Column::ProcessName, cell)));
}

std::uint32_t Difference::Impl::placeOfKey(std::uint32_t trace, Column key, const CellKey& cell) {
    if (key == Column::Process || key == Column::ProcessName) return processOf(trace, cell);
    const auto& reader = selections[trace]->reader();
    return texts.other(reader.text(key, reader.key(key, cell)));
}

void Difference::Impl::findPath(std::uint32_t trace, const CellKey& cell, std::vector<DifferenceEntries::Step>& path) {
    path.clear();
    for (std::size_t i = 0; i < query.keys.size(); ++i) {
        const auto key = query.keys[i];
        if (!isStack(key)) {
            path.push_back(stepOf(i, placeOfKey(trace, key, cell)));
            continue;
        }
        for (const auto label : selections[trace]->reader().stack(key, cell))
            path.push_back(stepOf(i, texts.frame(trace, LabelId{label})));
    }
}

Result<void> Difference::Impl::collectTrace(std::uint32_t trace, const std::stop_token& stop) {
    const auto& compared = traceOf(trace);
    const auto& selection = *selections[trace];
    const auto sums = sumsOfCells(selection);
    OwnerFrames ownerFrames(*compared.trace->processes, *compared.labels, query.allocatorFrames.get());
    std::vector<Step> path;
    for (std::uint32_t cell = 0; cell < sums.size(); ++cell) {
        if (cell % kStopCells == 0 && stop.stop_requested()) return cancelled();
        if (sums[cell].count == 0) continue;
        const auto& key = selection.cells()[cell].key;
        findPath(trace, key, path);
        bool hasRoom = tree.add({trace, cell, 0, 0, sums[cell]}, path);
        if (query.isByOwner) {
            const ProcessIndex process{static_cast<std::uint32_t>(selection.reader().key(Column::Process, key))};
            const auto frames = selection.reader().wholeStack(Column::StackBottomUp, key).frames;
            const auto owner = frames[ownerFrames.ownerOf(process, frames)];
            path = {stepOf(0, processOf(trace, key)), stepOf(1, texts.frame(trace, LabelId{owner}))};
            hasRoom = hasRoom && byOwner.add({trace, cell, 0, 0, sums[cell]}, path);
        }
        if (!hasRoom) return Error{ErrorKind::Unsupported, "These traces have too many different stacks to compare."};
    }
    return {};
}

Result<void> Difference::Impl::collect(const std::stop_token& stop) {
    for (std::uint32_t trace = 0; trace < traces; ++trace) {
        TRY(collectTrace(trace, stop));
    }
    tree.sort();
    byOwner.sort();
    nodes.push_back({.range = tree.all()});
    return {};
}

} // namespace highwater::analysis
