#include "core/analysis/rows/stop_interval.h"
#include "core/analysis/table/grouped_table_impl.h"

namespace highwater::analysis {

bool GroupedTable::Impl::computeSummaries(std::span<const NodeId> nodes, Column rowColumn, Summary kind,
                                          const std::stop_token& stop) {
    std::size_t seen = 0;
    for (const auto node : nodes) {
        if (seen >= kStopEvery) {
            if (stop.stop_requested()) return false;
            seen = 0;
        }
        seen += tree->elements(node).size();
        kind == Summary::Plain ? (void)summary(node, rowColumn) : (void)weightedSum(node, rowColumn);
    }
    return true;
}

const RowSummary* GroupedTable::Impl::summary(NodeId id, Column rowColumn) const {
    const auto asked = summaries.find(rowColumn);
    if (asked == summaries.end()) return nullptr;
    if (const auto* known = asked->second.find(id)) return known;
    const auto& population = selection->population();
    const RowValues values(selection->reader());
    RowSummary found;
    for (const auto element : tree->elements(id)) {
        if ((element & NodeTree::kRow) == 0) {
            found.add(statistics.of(rowColumn)[element]);
            continue;
        }
        const auto row = element & ~NodeTree::kRow;
        const auto value = isAggregate(rowColumn) ? values.of(rowColumn, population.facts(row))
                                                  : values.of(rowColumn, population.numbersOf(row));
        if (value) found.add(*value);
    }
    return &asked->second.set(id, found);
}

const WeightedSum* GroupedTable::Impl::weightedSum(NodeId id, Column rowColumn) const {
    const auto asked = weightedSums.find(rowColumn);
    if (asked == weightedSums.end()) return nullptr;
    if (const auto* known = asked->second.find(id)) return known;
    const RowValues values(selection->reader());
    WeightedSum found;
    for (const auto element : tree->elements(id)) {
        if ((element & NodeTree::kRow) == 0) {
            found.add(statistics.weightedOf(rowColumn)[element]);
            continue;
        }
        const auto row = selection->population().numbersOf(element & ~NodeTree::kRow);
        if (const auto value = values.of(rowColumn, row)) found.add(*value, row.size);
    }
    return &asked->second.set(id, found);
}

} // namespace highwater::analysis
