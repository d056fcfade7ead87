#include "core/references/block_index.h"

namespace highwater::references {
namespace {

/// More would make entries large where a place has few blocks, less would make many places.
constexpr Address kLargestHole = 1 << 20;

} // namespace

BlockIndex::BlockIndex(std::span<const PictureBlock> blocks) : blocks_(blocks) {
    firstBlocks_.reserve(blocks.size() + blocks.size() / 8); // an entry per block and, in usual heaps, few places
    for (std::size_t first = 0, end = 0; first < blocks.size(); first = end) {
        end = first + 1;
        while (end < blocks.size() && blocks[end].address - lastOf(blocks[end - 1]) <= kLargestHole)
            ++end;
        addPlace(first, end);
    }
    if (blocks.empty()) return;
    lowest_ = std::max<Address>(blocks.front().address, 1); // null refers to nothing
    span_ = std::max(lastOf(blocks.back()), lowest_) - lowest_;
}

void BlockIndex::addPlace(std::size_t first, std::size_t end) {
    Place place{blocks_[first].address, lastOf(blocks_[end - 1]), firstBlocks_.size(), 0};
    constexpr int kMostShift = 63;
    while (place.shift < kMostShift && ((place.last - place.begin) >> place.shift) >= end - first)
        ++place.shift;
    const auto entries = ((place.last - place.begin) >> place.shift) + 1;
    auto block = first;
    for (Address entry = 0; entry < entries; ++entry) {
        // Also right if the address of the entry is not in a block: the one below is found from its number.
        while (block < end && (blocks_[block].address - place.begin) >> place.shift < entry)
            ++block;
        firstBlocks_.push_back(static_cast<std::uint32_t>(block));
    }
    firstBlocks_.push_back(static_cast<std::uint32_t>(end));
    places_.push_back(place);
}

} // namespace highwater::references
