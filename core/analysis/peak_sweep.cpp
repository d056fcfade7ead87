#include "core/analysis/peak_sweep.h"

#include "core/analysis/row_sweep.h"

#include <algorithm>

namespace highwater::analysis {

Result<void> sweepPeaks(const RowSelection& selection, NodeTree& tree, std::span<const NodeTree::NodeId> nodes,
                        const std::stop_token& stop) {
    const auto* population = dynamic_cast<const RowPopulation*>(&selection.population());
    if (population == nullptr) return {};
    std::vector<NodeTree::NodeId> wanted;
    std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(wanted), [&](auto id) { return !tree.node(id).peak; });
    if (wanted.empty()) return {};
    // One slice would do; several let processors share the work.
    constexpr std::uint32_t kSlices = 32;
    const auto bounds = population->rows().bounds();
    const auto edges = sliceEdges({TraceTime{bounds.t0}, TraceTime{bounds.t1}}, kSlices);
    SliceLevels levels(edges, wanted.size());
    RowGroups groups(selection.cells().size());
    for (std::uint32_t i = 0; i < wanted.size(); ++i) {
        levels.open(i, tree.node(wanted[i]).sums.opening);
        for (const auto element : tree.elements(wanted[i])) {
            if ((element & NodeTree::kRow) != 0) {
                groups.addRow(static_cast<RowId>(element), i);
            } else {
                groups.addCell(static_cast<std::uint32_t>(element), i);
            }
        }
    }
    RowSweep sweep(*population, groups);
    if (!sweep.run(edges, wanted.size(), levels, stop)) return cancelled();
    for (std::uint32_t i = 0; i < wanted.size(); ++i) {
        tree.node(wanted[i]).peak = *std::max_element(levels.values(i).begin(), levels.values(i).end());
    }
    return {};
}

} // namespace highwater::analysis
