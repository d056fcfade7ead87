#include "core/analysis/peak_sweep.h"

#include "core/analysis/row_sweep.h"

#include <algorithm>

namespace highwater::analysis {

Result<void> sweepPeaks(const RowSelection& selection, NodeTree& tree, std::span<const NodeTree::NodeId> nodes,
                        const std::stop_token& stop) {
    const auto* population = dynamic_cast<const RowPopulation*>(&selection.population());
    if (population == nullptr) return {};
    struct Level {
        std::uint64_t now = 0;
        SignedByteCount peak = 0;
    };
    std::vector<NodeTree::NodeId> wanted;
    std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(wanted), [&](auto id) { return !tree.node(id).peak; });
    if (wanted.empty()) return {};
    std::vector<Level> levels;
    RowGroups groups(selection.cells().size());
    for (std::uint32_t i = 0; i < wanted.size(); ++i) {
        const auto opening = tree.node(wanted[i]).sums.opening;
        levels.push_back(Level{opening, static_cast<SignedByteCount>(opening)});
        for (const auto element : tree.elements(wanted[i])) {
            if ((element & NodeTree::kRow) != 0) {
                groups.addRow(static_cast<RowId>(element), i);
            } else {
                groups.addCell(static_cast<std::uint32_t>(element), i);
            }
        }
    }
    RowSweep sweep(*population, groups);
    const bool finished = sweep.run(stop, [&](TraceTime, std::uint32_t group, std::uint64_t delta) {
        auto& level = levels[group];
        level.now += delta;
        level.peak = std::max(level.peak, static_cast<SignedByteCount>(level.now));
    });
    if (!finished) return cancelled();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        tree.node(wanted[i]).peak = levels[i].peak;
    }
    return {};
}

} // namespace highwater::analysis
