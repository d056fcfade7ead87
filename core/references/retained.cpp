#include "core/references/retained.h"

#include <algorithm>
#include <ranges>

namespace highwater::references {
namespace {

using NodeList = std::vector<std::uint32_t, LargeAllocator<std::uint32_t>>;

constexpr auto kNone = PictureBlock::kNone;

ByteCount saturatedSum(ByteCount a, ByteCount b) { return a + b < a ? ~ByteCount{0} : a + b; }

std::size_t nodesOf(const MemoryPicture& picture) { return picture.blocks.size() + picture.roots.size(); }

/// A stack dominates its frames, nothing other roots.
std::uint32_t dominatorOf(const MemoryPicture& picture, std::uint32_t node) {
    const auto blocks = static_cast<std::uint32_t>(picture.blocks.size());
    if (node < blocks) return picture.blocks[node].dominator;
    const auto parent = picture.roots[node - blocks].parent;
    return parent == PictureRoot::kNoParent ? kNone : blocks + parent;
}

/// Nodes such that each is behind all that it dominates.
NodeList fromLeaves(const MemoryPicture& picture) {
    NodeList waiting(nodesOf(picture)); // for so many children
    for (std::uint32_t node = 0; node < waiting.size(); ++node)
        if (const auto dominator = dominatorOf(picture, node); dominator != kNone) ++waiting[dominator];
    NodeList order;
    order.reserve(waiting.size());
    for (std::uint32_t leaf = 0; leaf < waiting.size(); ++leaf) {
        if (waiting[leaf] != 0) continue;
        // Nodes that are above the leaf, and have no other children left, follow at once; none is a leaf of its own.
        for (auto at = leaf; at != kNone && waiting[at] == 0;) {
            order.push_back(at);
            waiting[at] = kNone;
            at = dominatorOf(picture, at);
            if (at != kNone) --waiting[at];
        }
    }
    return order;
}

} // namespace

RetainedSizes::RetainedSizes(const MemoryPicture& picture) : nodes_(nodesOf(picture)) {
    const auto order = fromLeaves(picture);
    for (const auto node : order) { // end: at first the number of nodes
        auto& subtree = nodes_[node];
        if (node < picture.blocks.size()) subtree.retained = saturatedSum(subtree.retained, picture.blocks[node].bytes);
        ++subtree.end;
        const auto dominator = dominatorOf(picture, node);
        if (dominator == kNone) continue;
        auto& above = nodes_[dominator];
        above.retained = saturatedSum(above.retained, subtree.retained);
        above.end += subtree.end;
    }
    std::uint32_t next = 0; // for nodes without a dominator; below one, its `end` is the next until all are placed
    for (const auto node : order | std::views::reverse) {
        auto& subtree = nodes_[node];
        const auto size = subtree.end, dominator = dominatorOf(picture, node);
        auto& place = dominator == kNone ? next : nodes_[dominator].end;
        subtree.begin = place;
        place += size;
        subtree.end = subtree.begin + 1;
    }
}

ByteCount RetainedSizes::ofGroup(std::span<const std::uint32_t> nodes) const {
    std::vector<std::uint32_t> order(nodes.begin(), nodes.end());
    std::ranges::sort(order, {}, [&](std::uint32_t node) { return nodes_[node].begin; });
    ByteCount sum = 0;
    std::uint32_t end = 0;
    for (const auto node : order) {
        if (nodes_[node].begin < end) continue; // the same node or one that dominates it has been added
        sum = saturatedSum(sum, nodes_[node].retained);
        end = nodes_[node].end;
    }
    return sum;
}

} // namespace highwater::references
