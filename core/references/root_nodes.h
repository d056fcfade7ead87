#pragma once

#include "core/references/memory_scan.h"
#include "core/references/reference_graph.h"
#include "core/references/root_areas.h"

#include <cstdint>
#include <span>
#include <vector>

namespace highwater::references {

/// A root that refers to blocks, or the parent of one.
struct RootNode {
    std::uint32_t area = 0;                      ///< its first one; of a parent without areas, that of its first frame
    std::uint32_t parent = RootAreas::kNoParent; ///< number of the node
};

struct RootNodes {
    std::vector<RootNode> nodes; ///< in the order of the numbers of the roots
    std::vector<RootLink> links; ///< in the order of the references, by number of the node
};

/// Adds the roots that refer to blocks to the graph, as nodes behind those of the blocks. Their parents refer to them.
/// The areas have the numbers of their roots. Time: linear.
[[nodiscard]] RootNodes addRootNodes(ReferenceGraph& graph, std::span<const RootReference> references,
                                     const RootAreas& found);

} // namespace highwater::references
