#pragma once

#include "core/analysis/sweeps/row_sweep.h"
#include "core/analysis/table/node_tree.h"

#include <vector>

namespace highwater::analysis {

/// Groups for the sweeps below. Nodes of Frees are ignored because they are never outstanding.
struct SweptNodes {
    const RowSelection& selection;
    const NodeTree& tree;
    std::span<const NodeTree::NodeId> nodes;
    RowSweep::Measure measure = RowSweep::Measure::Bytes;
};

/// The interval, limited to the extent of the trace; empty for Frees.
[[nodiscard]] TimeRange intervalOf(const SweptNodes& swept);

/// By node and slice: the peak of the outstanding amount of its rows between two edges; if both edges are equal, the
/// initial level at that instant. The edges are inside the interval, and the first is its start. Empty for Frees.
[[nodiscard]] Result<std::vector<std::vector<SignedByteCount>>>
sweepSlices(const SweptNodes& swept, const std::vector<TraceTime>& edges, const std::stop_token& stop);

/// By node: the first time of its peak. Empty for Frees.
[[nodiscard]] Result<std::vector<TraceTime>> sweepPeakTimes(const SweptNodes& swept, const std::stop_token& stop);

/// Sets TreeNode::peak (Bytes) or peakCount (Rows) of these nodes: the peak of the outstanding amount of their rows in
/// the interval, including the amount at its start. Nodes of Frees have none.
[[nodiscard]] Result<void> sweepPeaks(const RowSelection& selection, NodeTree& tree,
                                      std::span<const NodeTree::NodeId> nodes, RowSweep::Measure measure,
                                      const std::stop_token& stop);

} // namespace highwater::analysis
