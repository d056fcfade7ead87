#include "core/analysis/table/peak_sweep.h"

#include "core/analysis/sweeps/peak_pass.h"

#include <algorithm>
#include <map>
#include <utility>

namespace highwater::analysis {
namespace {

/// One slice would be enough for a peak; several let the processors share the work.
constexpr std::uint32_t kParts = 32;

std::optional<std::int64_t>& peakOf(TreeNode& node, RowSweep::Measure measure) {
    return measure == RowSweep::Measure::Bytes ? node.peak : node.peakCount;
}

/// Rows of the element that were outstanding at the start of the interval.
std::uint64_t openingRows(const RowSelection& selection, const NodeTree& tree, NodeTree::Element element) {
    const auto type = tree.keyOf(element).type;
    if (type == RowType::AIFI || type == RowType::AIFO) return 0;
    return (element & NodeTree::kRow) != 0 ? 1 : selection.cells()[element].sums.rows;
}

/// Groups are indexes in `nodes`. Nothing: PeakPass cannot be used because nodes are nested.
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
    // Whether a row is also in a cell with a group.
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

const RowPopulation* populationOf(const SweptNodes& swept) {
    return dynamic_cast<const RowPopulation*>(&swept.selection.population());
}

std::vector<std::uint64_t> openingsOf(const SweptNodes& swept) {
    std::vector<std::uint64_t> openings;
    for (const auto node : swept.nodes) {
        openings.push_back(openingOf(swept.selection, swept.tree, node, swept.measure));
    }
    return openings;
}

RowGroups rowGroupsOf(const SweptNodes& swept) {
    RowGroups groups(swept.selection.cells().size());
    for (std::uint32_t i = 0; i < swept.nodes.size(); ++i) {
        for (const auto element : swept.tree.elements(swept.nodes[i])) {
            if ((element & NodeTree::kRow) != 0) {
                groups.addRow(static_cast<RowId>(element), i);
            } else {
                groups.addCell(static_cast<std::uint32_t>(element), i);
            }
        }
    }
    return groups;
}

/// Parts of the interval; only those with peaks are examined closely. Memory is needed for every part of every node.
std::uint32_t partsToLookInto(std::size_t nodes) {
    constexpr std::size_t kMost = 512, kValues = 1u << 22;
    return static_cast<std::uint32_t>(std::clamp<std::size_t>(kValues / nodes, kParts, kMost));
}

} // namespace

TimeRange intervalOf(const SweptNodes& swept) {
    const auto* population = populationOf(swept);
    if (population == nullptr) return {};
    const auto bounds = population->rows().bounds();
    return {TraceTime{bounds.t0}, TraceTime{bounds.t1}};
}

Result<std::vector<std::vector<SignedByteCount>>>
sweepSlices(const SweptNodes& swept, const std::vector<TraceTime>& edges, const std::stop_token& stop) {
    using Slices = std::vector<std::vector<SignedByteCount>>;
    const auto* population = populationOf(swept);
    if (population == nullptr) return Slices();
    if (const auto groups = groupRows(swept.selection, *population, swept.tree, swept.nodes)) {
        auto slices = PeakPass(*population, *groups, swept.measure).run(openingsOf(swept), edges, {}, stop);
        return slices ? Result<Slices>(*std::move(slices)) : Result<Slices>(cancelled());
    }
    const auto groups = rowGroupsOf(swept);
    const auto openings = openingsOf(swept);
    SliceLevels levels(edges, swept.nodes.size());
    for (std::uint32_t i = 0; i < swept.nodes.size(); ++i) {
        levels.open(i, openings[i]);
    }
    if (!RowSweep(*population, groups, swept.measure).run(edges, swept.nodes.size(), levels, stop)) return cancelled();
    Slices slices;
    for (std::uint32_t i = 0; i < swept.nodes.size(); ++i) {
        slices.push_back(std::move(levels.values(i)));
    }
    return slices;
}

Result<std::vector<TraceTime>> sweepPeakTimes(const SweptNodes& swept, const std::stop_token& stop) {
    std::vector<TraceTime> times;
    const auto* population = populationOf(swept);
    if (population == nullptr || swept.nodes.empty()) return times;
    const auto edges = sliceEdges(intervalOf(swept), partsToLookInto(swept.nodes.size()));
    const auto slices = TRY(sweepSlices(swept, edges, stop));
    std::map<std::size_t, std::vector<std::uint32_t>> nodesByPart; // by the first part that contains their peak
    for (std::uint32_t i = 0; i < swept.nodes.size(); ++i) {
        const auto& ofNode = slices[i];
        const auto highest = std::max_element(ofNode.begin(), ofNode.end());
        nodesByPart[static_cast<std::size_t>(highest - ofNode.begin())].push_back(i);
    }
    times.resize(swept.nodes.size());
    const auto groups = rowGroupsOf(swept);
    RowSweep sweep(*population, groups, swept.measure);
    for (const auto& [part, nodes] : nodesByPart) {
        const std::vector<TraceTime> bounds{edges[part], edges[part + 1]};
        // Starts at 0 because the peak is above the initial level, or the part is the first.
        SliceLevels levels(bounds, swept.nodes.size(), SliceLevels::Times::Kept);
        if (!sweep.run(bounds, swept.nodes.size(), levels, stop)) return cancelled();
        for (const auto node : nodes) {
            times[node] = levels.timeOfHighest(node);
        }
    }
    return times;
}

Result<void> sweepPeaks(const RowSelection& selection, NodeTree& tree, std::span<const NodeTree::NodeId> nodes,
                        RowSweep::Measure measure, const std::stop_token& stop) {
    std::vector<NodeTree::NodeId> wanted;
    std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(wanted),
                 [&](auto id) { return !peakOf(tree.node(id), measure); });
    const SweptNodes swept{selection, tree, wanted, measure};
    const auto* population = populationOf(swept);
    if (wanted.empty() || population == nullptr) return {};
    const auto slices = TRY(sweepSlices(swept, sliceEdges(intervalOf(swept), kParts), stop));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto& ofNode = slices[i];
        peakOf(tree.node(wanted[i]), measure) = *std::max_element(ofNode.begin(), ofNode.end());
    }
    return {};
}

} // namespace highwater::analysis
