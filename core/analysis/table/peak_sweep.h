#pragma once

#include "core/analysis/sweeps/row_sweep.h"
#include "core/analysis/table/node_tree.h"

#include <vector>

namespace highwater::analysis {

/// Groups that the sweeps below are about, and what they leave out: nodes of Frees, of which nothing is outstanding.
struct SweptNodes {
    const RowSelection& selection;
    const NodeTree& tree;
    std::span<const NodeTree::NodeId> nodes;
    RowSweep::Measure measure = RowSweep::Measure::Bytes;
};

/// The interval as far as the trace reaches; empty for Frees.
[[nodiscard]] TimeRange intervalOf(const SweptNodes& swept);

/// By node and slice: the highest outstanding amount of its rows at one instant between two edges; where both are one,
/// the level with which that instant begins. The edges lie in the interval, the first is its start. Empty for Frees.
[[nodiscard]] Result<std::vector<std::vector<SignedByteCount>>>
sweepSlices(const SweptNodes& swept, const std::vector<TraceTime>& edges, const std::stop_token& stop);

/// By node: when its outstanding amount was highest first. Empty for Frees.
[[nodiscard]] Result<std::vector<TraceTime>> sweepPeakTimes(const SweptNodes& swept, const std::stop_token& stop);

/// Fills TreeNode::peak (Bytes) or peakCount (Rows) of these nodes: the highest outstanding amount of their rows at one
/// instant of the interval, beginning with what was outstanding at its start. Nodes of Frees have none.
[[nodiscard]] Result<void> sweepPeaks(const RowSelection& selection, NodeTree& tree,
                                      std::span<const NodeTree::NodeId> nodes, RowSweep::Measure measure,
                                      const std::stop_token& stop);

} // namespace highwater::analysis
