#pragma once

#include "core/analysis/sweeps/row_sweep.h"
#include "core/analysis/table/node_tree.h"

namespace highwater::analysis {

/// Fills TreeNode::peak (Bytes) or peakCount (Rows) of these nodes: the highest outstanding amount of their rows at one
/// instant of the interval, beginning with what was outstanding at its start. Nodes of Frees have none.
[[nodiscard]] Result<void> sweepPeaks(const RowSelection& selection, NodeTree& tree,
                                      std::span<const NodeTree::NodeId> nodes, RowSweep::Measure measure,
                                      const std::stop_token& stop);

} // namespace highwater::analysis
