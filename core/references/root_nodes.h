#pragma once

#include "core/references/memory_scan.h"
#include "core/references/reference_graph.h"
#include "core/references/root_areas.h"

#include <cstdint>
#include <span>
#include <vector>

namespace highwater::references {

/// The roots that refer to blocks. Their numbers are in the order of their first areas.
struct RootNodes {
    std::vector<std::uint32_t> firstAreas; ///< of each root
    std::vector<RootLink> links;           ///< in the order of the references
};

/// Adds the roots that refer to blocks to the graph, as nodes behind those of the blocks. The areas have the numbers of
/// their roots. Time: linear.
[[nodiscard]] RootNodes addRootNodes(ReferenceGraph& graph, std::span<const RootReference> references,
                                     const RootAreas& found);

} // namespace highwater::references
