#pragma once

#include "core/base/huge_pages.h"
#include "core/base/units.h"
#include "core/event/memory_picture.h"

#include <cstdint>
#include <span>
#include <vector>

namespace highwater::references {

/// How much would be freed with blocks or roots: they and all blocks that they dominate. Nodes are the blocks and, with
/// numbers above theirs, the roots. Memory: 16 bytes per node, half as much more during construction. Immutable; any
/// thread.
class RetainedSizes {
  public:
    /// Time: linear. The picture must be valid.
    explicit RetainedSizes(const MemoryPicture& picture);

    /// The bytes of the node (of a root: 0) and of all that it dominates; at most the largest number.
    [[nodiscard]] ByteCount of(std::uint32_t node) const { return nodes_[node].retained; }
    /// The bytes of the nodes and of all that they dominate, each once, in any order and even if a node is given twice.
    /// O(k log k).
    [[nodiscard]] ByteCount ofGroup(std::span<const std::uint32_t> nodes) const;

  private:
    struct Subtree {
        ByteCount retained = 0;
        std::uint32_t begin = 0; ///< in an order in which each node is followed by those that it dominates
        std::uint32_t end = 0;
    };
    std::vector<Subtree, LargeAllocator<Subtree>> nodes_;
};

} // namespace highwater::references
