#pragma once

#include "core/analysis/table/node_tree.h"

#include <cstdint>
#include <span>
#include <vector>

namespace highwater::analysis {

/// How many different values the rows of each of these nodes have in the column, by place in `nodes`: of a column of
/// single rows in one pass over all rows, else of the cells alone. Rows without a value do not count.
[[nodiscard]] Result<std::vector<std::uint64_t>> countUnique(const RowSelection& selection, const NodeTree& tree,
                                                             Column column, std::span<const NodeTree::NodeId> nodes,
                                                             const std::stop_token& stop);

} // namespace highwater::analysis
