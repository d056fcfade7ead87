#include "core/analysis/peak_sweep.h"

#include "core/analysis/peak_pass.h"

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

/// Groups are the places of `nodes`. Nothing where PeakPass is no help, or when stopped.
std::optional<GroupOfRow> groupRows(const RowSelection& selection, const RowPopulation& population,
                                    const NodeTree& tree, std::span<const NodeTree::NodeId> nodes,
                                    const std::stop_token& stop) {
    if (!population.rows().exits().empty() || nodes.size() >= PeakPass::kMostGroups) return std::nullopt;
    GroupOfRow groupOfCell(selection.cells().size());
    bool hasCells = false;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const auto element : tree.elements(nodes[i])) {
            if ((element & NodeTree::kRow) != 0) continue;
            if (groupOfCell[element] != 0) return std::nullopt; // one node is in another
            groupOfCell[element] = static_cast<std::uint16_t>(i + 1);
            hasCells = true;
        }
    }
    GroupOfRow groupOfRow(population.rows().view().rows);
    const auto visit = [&](unsigned, std::span<const Member> members) {
        for (const auto& member : members) {
            groupOfRow[member.row] = groupOfCell[member.cell];
        }
    };
    if (hasCells && !population.visitMembers(population.workers(), stop, visit)) return std::nullopt;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const auto element : tree.elements(nodes[i])) {
            if ((element & NodeTree::kRow) == 0) continue;
            auto& group = groupOfRow[static_cast<RowId>(element)];
            if (group != 0) return std::nullopt;
            group = static_cast<std::uint16_t>(i + 1);
        }
    }
    return groupOfRow;
}

std::uint64_t openingOf(const RowSelection& selection, const NodeTree& tree, NodeTree::NodeId node, Measure measure) {
    if (measure == Measure::Bytes) return tree.node(node).sums.opening;
    std::uint64_t rows = 0;
    for (const auto element : tree.elements(node)) {
        rows += openingRows(selection, tree, element);
    }
    return rows;
}

/// For all that PeakPass cannot do.
std::optional<std::vector<std::int64_t>> sweepRows(const RowSelection& selection, const RowPopulation& population,
                                                   const NodeTree& tree, std::span<const NodeTree::NodeId> nodes,
                                                   const std::vector<std::uint64_t>& opening, Measure measure,
                                                   const std::stop_token& stop) {
    // One slice would do; several let processors share the work.
    constexpr std::uint32_t kSlices = 32;
    const auto bounds = population.rows().bounds();
    const auto edges = sliceEdges({TraceTime{bounds.t0}, TraceTime{bounds.t1}}, kSlices);
    SliceLevels levels(edges, nodes.size());
    RowGroups groups(selection.cells().size());
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        levels.open(i, opening[i]);
        for (const auto element : tree.elements(nodes[i])) {
            if ((element & NodeTree::kRow) != 0) {
                groups.addRow(static_cast<RowId>(element), i);
            } else {
                groups.addCell(static_cast<std::uint32_t>(element), i);
            }
        }
    }
    RowSweep sweep(population, groups, measure);
    if (!sweep.run(edges, nodes.size(), levels, stop)) return std::nullopt;
    std::vector<std::int64_t> peaks;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        peaks.push_back(*std::max_element(levels.values(i).begin(), levels.values(i).end()));
    }
    return peaks;
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
    std::vector<std::uint64_t> opening;
    for (const auto node : wanted) {
        opening.push_back(openingOf(selection, tree, node, measure));
    }
    const auto groupOfRow = groupRows(selection, *population, tree, wanted, stop);
    if (stop.stop_requested()) return cancelled();
    const auto peaks = groupOfRow ? PeakPass(*population, *groupOfRow, wanted.size(), measure).run(opening, stop)
                                  : sweepRows(selection, *population, tree, wanted, opening, measure, stop);
    if (!peaks) return cancelled();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        peakOf(tree.node(wanted[i]), measure) = (*peaks)[i];
    }
    return {};
}

} // namespace highwater::analysis
