#include "core/analysis/table/peak_sweep.h"

#include "core/analysis/sweeps/peak_pass.h"

#include <algorithm>
#include <array>
#include <utility>

namespace highwater::analysis {
namespace {

std::optional<std::int64_t>& peakOf(TreeNode& node, RowSweep::Measure measure) {
    return measure == RowSweep::Measure::Bytes ? node.peak : node.peakCount;
}

/// Rows of the element that were outstanding when the interval began.
std::uint64_t openingRows(const RowSelection& selection, const NodeTree& tree, NodeTree::Element element) {
    const auto type = tree.keyOf(element).type;
    if (type == RowType::AIFI || type == RowType::AIFO) return 0;
    return (element & NodeTree::kRow) != 0 ? 1 : selection.cells()[element].sums.count;
}

/// Groups are the places of `nodes`. Nothing where PeakPass is no help: where one node is in another.
std::optional<GroupsOfRows> groupRows(const RowSelection& selection, const RowPopulation& population,
                                      const NodeTree& tree, std::span<const NodeTree::NodeId> nodes) {
    if (!population.rows().exits().empty()) return std::nullopt;
    GroupsOfRows groups;
    groups.ofCells.resize(selection.cells().size());
    for (const auto node : nodes) {
        const auto group = ++groups.count;
        for (const auto element : tree.elements(node)) {
            if ((element & NodeTree::kRow) != 0) {
                groups.ofRows.push_back({static_cast<RowId>(element), group});
            } else if (std::exchange(groups.ofCells[element], group) != 0) {
                return std::nullopt;
            }
        }
    }
    std::sort(groups.ofRows.begin(), groups.ofRows.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
    const auto twice = std::adjacent_find(groups.ofRows.begin(), groups.ofRows.end(),
                                          [](const auto& a, const auto& b) { return a.row == b.row; });
    if (twice != groups.ofRows.end()) return std::nullopt;
    // Whether a row is in a cell with a group, too.
    const bool isBoth = std::any_of(groups.ofRows.begin(), groups.ofRows.end(), [&](const auto& single) {
        const auto cell = population.cellOf(single.row);
        return cell != kNoCell && groups.ofCells[cell] != 0;
    });
    if (isBoth) return std::nullopt;
    return groups;
}

std::uint64_t openingOf(const RowSelection& selection, const NodeTree& tree, NodeTree::NodeId node,
                        RowSweep::Measure measure) {
    if (measure == RowSweep::Measure::Bytes) return tree.node(node).sums.opening;
    std::uint64_t rows = 0;
    for (const auto element : tree.elements(node)) {
        rows += openingRows(selection, tree, element);
    }
    return rows;
}

std::optional<std::vector<std::int64_t>> passRows(const RowPopulation& population, const GroupsOfRows& groups,
                                                  const std::vector<std::uint64_t>& opening, RowSweep::Measure measure,
                                                  const std::stop_token& stop) {
    const auto bounds = population.rows().bounds();
    const std::array edges{TraceTime{bounds.t0}, TraceTime{bounds.t1}};
    const auto slices = PeakPass(population, groups, measure).run(opening, edges, {}, stop);
    if (!slices) return std::nullopt;
    std::vector<std::int64_t> peaks;
    for (const auto& ofGroup : *slices) {
        peaks.push_back(ofGroup.front());
    }
    return peaks;
}

/// For all that PeakPass cannot do.
std::optional<std::vector<std::int64_t>> sweepRows(const RowSelection& selection, const RowPopulation& population,
                                                   const NodeTree& tree, std::span<const NodeTree::NodeId> nodes,
                                                   const std::vector<std::uint64_t>& opening, RowSweep::Measure measure,
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
                        RowSweep::Measure measure, const std::stop_token& stop) {
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
    const auto groups = groupRows(selection, *population, tree, wanted);
    const auto peaks = groups ? passRows(*population, *groups, opening, measure, stop)
                              : sweepRows(selection, *population, tree, wanted, opening, measure, stop);
    if (!peaks) return cancelled();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        peakOf(tree.node(wanted[i]), measure) = (*peaks)[i];
    }
    return {};
}

} // namespace highwater::analysis
