#pragma once

#include "core/base/result.h"
#include "core/event/memory_picture.h"
#include "core/references/reference_graph.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::references {

struct Marked {
    std::vector<std::uint32_t> holdingRoots; ///< roots that hold a block, ascending
    std::vector<std::uint32_t> heads;        ///< the unreachable blocks, ascending
};

/// Sets the reachability and the holder of each block: a block, or number of blocks + a root. `links`: in the order of
/// preference.
///
/// Reachable blocks have the holder by which a shortest path of certain references leads to them; of paths of equal
/// length, that from the first link. Possible blocks have a shortest path of any references behind Reachable ones. Of
/// the leaked blocks, the fewest from which all others can be reached are Unreachable: of each cycle that no other
/// leaked block leads to, the lowest one. Time and memory: linear, no recursion. Errors: Cancelled.
[[nodiscard]] Result<Marked> markBlocks(std::span<PictureBlock> blocks, const ReferenceGraph& graph,
                                        std::span<const RootLink> links, const std::stop_token& stop);

} // namespace highwater::references
