#include "core/analysis/table/grouped_table_impl.h"
#include "core/analysis/table/peak_sweep.h"
#include "core/analysis/table/trends.h"

namespace highwater::analysis {

Result<void> GroupedTable::Impl::computeTrendsOf(std::span<const NodeId> nodes, const std::stop_token& stop) {
    const auto nodesToAsk = trends.missing(nodes);
    if (nodesToAsk.empty()) return {};
    const auto found = TRY(computeTrends({*selection, *tree, nodesToAsk}, stop));
    for (std::size_t i = 0; i < found.size(); ++i) {
        trends.set(nodesToAsk[i], found[i]);
    }
    return {};
}

Result<void> GroupedTable::Impl::computePeakTimes(std::span<const NodeId> nodes, const std::stop_token& stop) {
    const auto nodesToAsk = peakTimes.missing(nodes);
    if (nodesToAsk.empty()) return {};
    const auto found = TRY(sweepPeakTimes({*selection, *tree, nodesToAsk}, stop));
    for (std::size_t i = 0; i < found.size(); ++i) {
        peakTimes.set(nodesToAsk[i], found[i]);
    }
    return {};
}

} // namespace highwater::analysis
