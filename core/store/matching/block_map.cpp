#include "core/store/matching/block_map.h"

#include "core/base/huge_pages.h"

#include <utility>

namespace highwater::store {

/// Moves blocks back until no probe sequence runs across the gap.
void BlockMap::closeGap(std::uint64_t gap) {
    const auto mask = capacity() - 1;
    for (auto slot = (gap + 1) & mask; blocks_[slot].address != 0; slot = (slot + 1) & mask) {
        const auto home = indexOf(blocks_[slot].address);
        // Only a block whose sequence starts at or before the gap may move there.
        if (((slot - home) & mask) < ((slot - gap) & mask)) continue;
        blocks_[gap] = blocks_[slot];
        gap = slot;
    }
    blocks_[gap] = Block{0, kNoRow, 0};
}

bool BlockMap::grow() {
    const auto shift = blocks_ ? shift_ - 1 : kFirstShift;
    const auto slots = std::uint64_t{1} << (64 - shift);
    std::unique_ptr<Block[], Free> larger(static_cast<Block*>(std::calloc(slots, sizeof(Block))));
    if (!larger) return false;
    preferHugePages(larger.get(), slots * sizeof(Block));
    const auto before = blocks_ ? capacity() : 0;
    std::swap(blocks_, larger);
    shift_ = shift;
    limit_ = slots / 5 * fullOfFive_;
    for (std::uint64_t i = 0; i < before; ++i) {
        if (larger[i].address != 0) blocks_[slotOf(larger[i].address)] = larger[i];
    }
    return true;
}

void BlockMap::renumber(const RowNumbers& numbers) {
    if (count_ == 0) return;
    for (std::uint64_t i = 0; i < capacity(); ++i) {
        if (blocks_[i].address != 0) blocks_[i].row = numbers.of(blocks_[i].row);
    }
}

std::vector<RowId> BlockMap::rows() const {
    std::vector<RowId> rows;
    rows.reserve(count_);
    for (std::uint64_t i = 0; i < capacity() && rows.size() < count_; ++i) {
        if (blocks_[i].address != 0) rows.push_back(blocks_[i].row);
    }
    return rows;
}

} // namespace highwater::store
