#include "core/analysis/peak_sweep.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

using Measure = RowSweep::Measure;

std::optional<std::int64_t>& peakOf(TreeNode& node, Measure measure) {
    return measure == Measure::Bytes ? node.peak : node.peakCount;
}

/// Rows of the element that were outstanding when the interval began.
std::uint64_t openingRows(const RowSelection& selection, const NodeTree& tree, NodeTree::Element element) {
    const auto type = tree.keyOf(element).type;
    if (type == RowType::AIFI || type == RowType::AIFO) return 0;
    return (element & NodeTree::kRow) != 0 ? 1 : selection.cells()[element].sums.count;
}

} // namespace

Result<void> sweepPeaks(const RowSelection& selection, NodeTree& tree, std::span<const NodeTree::NodeId> nodes,
                        Measure measure, const std::stop_token& stop) {
    const auto* population = dynamic_cast<const RowPopulation*>(&selection.population());
    if (population == nullptr) return {};
    std::vector<NodeTree::NodeId> wanted;
    std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(wanted),
                 [&](auto id) { return !peakOf(tree.node(id), measure); });
    if (wanted.empty()) return {};
    // One slice would do; several let processors share the work.
    constexpr std::uint32_t kSlices = 32;
    const auto bounds = population->rows().bounds();
    const auto edges = sliceEdges({TraceTime{bounds.t0}, TraceTime{bounds.t1}}, kSlices);
    SliceLevels levels(edges, wanted.size());
    RowGroups groups(selection.cells().size());
    for (std::uint32_t i = 0; i < wanted.size(); ++i) {
        if (measure == Measure::Bytes) levels.open(i, tree.node(wanted[i]).sums.opening);
        for (const auto element : tree.elements(wanted[i])) {
            if (measure == Measure::Rows) levels.open(i, openingRows(selection, tree, element));
            if ((element & NodeTree::kRow) != 0) {
                groups.addRow(static_cast<RowId>(element), i);
            } else {
                groups.addCell(static_cast<std::uint32_t>(element), i);
            }
        }
    }
    RowSweep sweep(*population, groups, measure);
    if (!sweep.run(edges, wanted.size(), levels, stop)) return cancelled();
    for (std::uint32_t i = 0; i < wanted.size(); ++i) {
        peakOf(tree.node(wanted[i]), measure) = *std::max_element(levels.values(i).begin(), levels.values(i).end());
    }
    return {};
}

} // namespace highwater::analysis
