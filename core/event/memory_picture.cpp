#include "core/event/memory_picture.h"

#include <algorithm>
#include <cstddef>

namespace highwater {
namespace {

static_assert(sizeof(PictureBlock) == 32, "a picture has millions");

bool isReached(const PictureBlock& block) {
    return block.reachability == Reachability::Reachable || block.reachability == Reachability::Possible;
}

bool areInOrder(const std::vector<PictureBlock>& blocks) {
    const PictureBlock* before = nullptr;
    return std::ranges::all_of(blocks, [&](const PictureBlock& block) {
        if (block.address + block.bytes < block.address) return false; // overflow
        const bool follows =
            before == nullptr || (block.address > before->address && block.address >= before->address + before->bytes);
        before = &block;
        return follows;
    });
}

/// Whether the link leads to a block or root that exists, and is of the kind that can hold or dominate this block:
/// roots and blocks that they reach do so for what is reached, leaked blocks for what is only leaked.
bool isFittingLink(std::uint32_t link, const PictureBlock& block, const MemoryPicture& picture) {
    if (link < picture.blocks.size()) return isReached(picture.blocks[link]) == isReached(block);
    return isReached(block) && link - picture.blocks.size() < picture.roots.size();
}

/// Nothing holds an unreachable block.
bool hasFittingHolder(const PictureBlock& block, const MemoryPicture& picture) {
    if (block.reachability == Reachability::Unreachable) return block.holder == PictureBlock::kNone;
    return isFittingLink(block.holder, block, picture);
}

bool hasFittingDominator(const PictureBlock& block, const MemoryPicture& picture) {
    if (block.dominator == PictureBlock::kNone) return true;
    if (block.reachability == Reachability::Unreachable) return false;
    return isFittingLink(block.dominator, block, picture);
}

bool isValid(const PictureRoot& root, const MemoryPicture& picture) {
    if (root.parent != PictureRoot::kNoParent) {
        const bool isBefore = root.parent < static_cast<std::size_t>(&root - picture.roots.data());
        if (!isBefore || picture.roots[root.parent].parent != PictureRoot::kNoParent) return false;
    }
    return root.name < picture.names.size() && root.threadName < picture.names.size() &&
           static_cast<std::uint8_t>(root.kind) < kRootKinds;
}

bool isValid(const PictureBlock& block, const MemoryPicture& picture) {
    return static_cast<std::uint8_t>(block.reachability) < kReachabilities && block.type <= picture.types.size() &&
           hasFittingHolder(block, picture) && hasFittingDominator(block, picture);
}

/// Whether the chain that starts at each block leaves the blocks. Each block is passed at most twice: walks stop at
/// blocks whose end earlier walks have seen.
bool allChainsEnd(const std::vector<PictureBlock>& blocks, std::uint32_t PictureBlock::*next) {
    enum class Walk : std::uint8_t { None, Current, Ended };
    std::vector<Walk> walks(blocks.size(), Walk::None);
    for (std::size_t start = 0; start < blocks.size(); ++start) {
        std::size_t at = start;
        for (; at < blocks.size() && walks[at] == Walk::None; at = blocks[at].*next)
            walks[at] = Walk::Current;
        if (at < blocks.size() && walks[at] == Walk::Current) return false;
        for (at = start; at < blocks.size() && walks[at] == Walk::Current; at = blocks[at].*next)
            walks[at] = Walk::Ended;
    }
    return true;
}

} // namespace

std::size_t MemoryPicture::bytes() const {
    std::size_t bytes =
        sizeof(*this) + roots.capacity() * sizeof(PictureRoot) + blocks.capacity() * sizeof(PictureBlock);
    for (const auto* const texts : {&names, &types})
        for (const auto& text : *texts)
            bytes += sizeof(text) + text.capacity();
    return bytes;
}

bool isValid(const MemoryPicture& picture) {
    // Holders are numbers of blocks and, above them, of roots; kNone is neither.
    if (picture.blocks.size() >= PictureBlock::kNone ||
        picture.roots.size() > PictureBlock::kNone - picture.blocks.size())
        return false;
    const bool hasTypes = std::ranges::any_of(picture.blocks, [](const auto& block) { return block.type != 0; });
    return hasTypes != picture.types.empty() && areInOrder(picture.blocks) &&
           std::ranges::all_of(picture.roots, [&](const PictureRoot& root) { return isValid(root, picture); }) &&
           std::ranges::all_of(picture.blocks, [&](const PictureBlock& block) { return isValid(block, picture); }) &&
           allChainsEnd(picture.blocks, &PictureBlock::holder) &&
           allChainsEnd(picture.blocks, &PictureBlock::dominator);
}

} // namespace highwater
