#include "core/analysis/rows/stop_interval.h"
#include "core/analysis/table/grouped_table_impl.h"
#include "core/analysis/table/peak_sweep.h"
#include "core/analysis/table/unique_counts.h"

#include <algorithm>

namespace highwater::analysis {

Result<void> GroupedTable::Impl::compute(std::span<const NodeId> nodes, std::span<const ValueColumn> columns,
                                         const std::stop_token& stop) {
    for (const auto [column, aggregation] : columns) {
        Result<void> done;
        bool finished = true;
        const auto rowColumn = RowValues::rowColumn(column);
        switch (aggregation) {
        case Aggregation::Peak:
            done = sweepPeaks(*selection, *tree, nodes,
                              column == Column::Count ? RowSweep::Measure::Rows : RowSweep::Measure::Bytes, stop);
            break;
        case Aggregation::UniqueCount:
            done = computeUnique(nodes, column, stop);
            break;
        case Aggregation::Count:
            finished = rowColumn ? computeSummaries(nodes, *rowColumn, Summary::Plain, stop)
                                 : computeCounts(nodes, column, stop);
            break;
        case Aggregation::WeightedAverage:
            finished = computeSummaries(nodes, column, Summary::Weighted, stop);
            break;
        case Aggregation::Own:
            done = computeOwn(nodes, column, stop);
            break;
        default:
            finished = !rowColumn || computeSummaries(nodes, *rowColumn, Summary::Plain, stop);
        }
        TRY(done);
        if (!finished) return cancelled();
    }
    return {};
}

Result<void> GroupedTable::Impl::computeOwn(std::span<const NodeId> nodes, Column column, const std::stop_token& stop) {
    switch (column) {
    case Column::SourceLine:
        return computeSources(nodes, stop) ? Result<void>() : Result<void>(cancelled());
    case Column::Slope:
    case Column::Trend:
        return computeTrendsOf(nodes, stop);
    case Column::PeakTime:
        return computePeakTimes(nodes, stop);
    case Column::Resident:
    case Column::HeldPages:
        return computeHeldMemory(nodes, stop);
    case Column::Retained:
        return computeRetained(nodes, stop);
    default:
        return {};
    }
}

Result<void> GroupedTable::Impl::computeUnique(std::span<const NodeId> nodes, Column column,
                                               const std::stop_token& stop) {
    auto& known = uniqueCounts[column];
    const auto missing = known.missing(nodes);
    if (missing.empty()) return {};
    const auto counts = TRY(countUnique(*selection, *tree, column, missing, stop));
    for (std::size_t i = 0; i < missing.size(); ++i) {
        known.set(missing[i], counts[i]);
    }
    return {};
}

Result<void> GroupedTable::Impl::computeHeldMemory(std::span<const NodeId> nodes, const std::stop_token& stop) {
    const auto missing = heldMemory.missing(nodes);
    if (missing.empty() || !isOfAllocations(query.table)) return {};
    if (!heldMemoryCounter) {
        heldMemoryCounter = HeldMemoryCounter::make(*selection, query.table, query.interval, stop);
        if (!heldMemoryCounter) return cancelled();
        rowsOnUnknownPages = heldMemoryCounter->countUnknown(tree->elements(kRoot));
    }
    for (const auto node : missing) {
        if (stop.stop_requested()) return cancelled();
        heldMemory.set(node, heldMemoryCounter->count(tree->elements(node)));
    }
    return {};
}

Result<void> GroupedTable::Impl::computeRetained(std::span<const NodeId> nodes, const std::stop_token& stop) {
    const auto missing = retained.missing(nodes);
    if (missing.empty() || query.table != Table::Heap) return {};
    if (!retainedMemory) {
        retainedMemory = RetainedMemory::make(*selection, query.interval, stop);
        if (!retainedMemory) return cancelled();
    }
    for (const auto node : missing) {
        if (stop.stop_requested()) return cancelled();
        retained.set(node, retainedMemory->of(tree->elements(node)));
    }
    return {};
}

bool GroupedTable::Impl::computeSources(std::span<const NodeId> nodes, const std::stop_token& stop) {
    for (const auto node : nodes) {
        if (tree->node(node).depth == 0 || sources.find(node) != nullptr) continue;
        if (stop.stop_requested()) return false;
        sources.set(node, sourceOfFrame(node).value_or(CellValue()));
    }
    return true;
}

bool GroupedTable::Impl::computeCounts(std::span<const NodeId> nodes, Column column, const std::stop_token& stop) {
    auto& known = keyCounts[column];
    const auto& reader = selection->reader();
    std::uint32_t seen = 0;
    for (const auto node : nodes) {
        if (known.find(node) != nullptr) continue;
        std::uint64_t rows = 0;
        for (const auto element : tree->elements(node)) {
            if (++seen % kStopEvery == 0 && stop.stop_requested()) return false;
            const auto cell = tree->keyOf(element);
            const auto key = isStack(column) ? reader.stackKey(column, cell) : reader.key(column, cell);
            if (!KeyReader::exists(column, key)) continue;
            rows += (element & NodeTree::kRow) != 0 ? 1 : selection->cells()[element].sums.rows;
        }
        known.set(node, rows);
    }
    return true;
}

void GroupedTable::Impl::forgetFrom(std::size_t node) {
    sources.forgetFrom(node);
    sortedWith.forgetFrom(node);
    trends.forgetFrom(node);
    peakTimes.forgetFrom(node);
    heldMemory.forgetFrom(node);
    retained.forgetFrom(node);
    for (auto* computed : {&uniqueCounts, &keyCounts}) {
        for (auto& [column, values] : *computed) {
            values.forgetFrom(node);
        }
    }
    for (auto& [column, values] : summaries)
        values.forgetFrom(node);
    for (auto& [column, values] : weightedSums)
        values.forgetFrom(node);
}

} // namespace highwater::analysis
