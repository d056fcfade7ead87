#pragma once

#include "core/analysis/table/node_tree.h"

#include <cstdint>
#include <span>
#include <vector>

namespace highwater::analysis {

/// The number of distinct values of the rows of each node in the column, by index in `nodes`. For a per-row
/// column, all rows are read in one pass; otherwise only the cells. Rows without a value do not count.
[[nodiscard]] Result<std::vector<std::uint64_t>> countUnique(const RowSelection& selection, const NodeTree& tree,
                                                             Column column, std::span<const NodeTree::NodeId> nodes,
                                                             const std::stop_token& stop);

} // namespace highwater::analysis
