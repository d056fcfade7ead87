#include "core/analysis/held/held_tree.h"

namespace highwater::analysis {
namespace {

/// Nodes of a tree or a graph, which are allocated by a few functions, refer to each other in turn.
constexpr int kNearest = 8;

} // namespace

HeldTree::HeldTree(const MemoryPicture& picture, std::span<const std::uint32_t> ownerOf)
    : stepOf_(picture.blocks.size(), kNone), roots_(static_cast<std::uint32_t>(picture.roots.size()) + 1) {
    for (std::uint32_t root = 0; root < roots_; ++root)
        steps_.push_back({kNone, root, 0});
    const auto count = static_cast<std::uint32_t>(picture.blocks.size());
    std::vector<std::uint32_t> chain;
    for (std::uint32_t block = 0; block < count; ++block) {
        auto at = block;
        for (chain.clear(); at < count && stepOf_[at] == kNone; at = picture.blocks[at].holder)
            chain.push_back(at);
        auto step = at == PictureBlock::kNone ? roots_ - 1 : at < count ? stepOf_[at] : at - count;
        for (auto link = chain.rbegin(); link != chain.rend(); ++link)
            stepOf_[*link] = step = below(step, ownerOf[*link]);
    }
}

std::uint32_t HeldTree::below(std::uint32_t parent, std::uint32_t owner) {
    auto near = parent;
    for (int i = 0; i < kNearest && near >= roots_; ++i, near = steps_[near].parent)
        if (steps_[near].owner == owner) return near;
    if (steps_[parent].depth == kMostDepth) return parent;
    const auto next = static_cast<std::uint32_t>(steps_.size());
    const auto [known, isNew] = known_.try_emplace(std::uint64_t{parent} << 32 | owner, next);
    if (isNew) steps_.push_back({parent, owner, steps_[parent].depth + 1});
    return known->second;
}

} // namespace highwater::analysis
