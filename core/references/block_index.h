#pragma once

#include "core/base/huge_pages.h"
#include "core/event/memory_picture.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace highwater::references {

/// Finds the block that contains an address, in about two cache misses. Addresses of blocks are dense in some places
/// (heaps) that are far apart: each such place has a table of its blocks by address, with one entry per block on
/// average. Memory: 4 bytes per block. Immutable; any thread.
class BlockIndex {
  public:
    static constexpr std::uint32_t kNone = PictureBlock::kNone;

    /// `blocks`: by address, without overlaps; must outlive the index.
    explicit BlockIndex(std::span<const PictureBlock> blocks);

    /// Whether a block may contain the address. Rejects most numbers that are not addresses.
    [[nodiscard]] bool mayFind(Address address) const { return address - lowest_ <= span_ && !places_.empty(); }
    /// The block for which address is in [its address, + its bytes), or its address; kNone if there is none. A block
    /// with the size of a pointer is also found by its end, unless another block begins there. `place`: the caller's,
    /// at first 0: successive addresses are often near each other.
    [[nodiscard]] std::uint32_t find(Address address, std::size_t& place) const {
        const auto entry = entryOf(address, place);
        return entry == kNoEntry ? kNone : findIn(entry, address);
    }

    // The steps of find(), for callers that look up many addresses at once and need not wait for each.
    static constexpr std::size_t kNoEntry = ~std::size_t{0};
    [[nodiscard]] std::size_t entryOf(Address address, std::size_t& place) const {
        if (!mayFind(address)) return kNoEntry;
        if (!places_[place].contains(address)) {
            const auto next = std::ranges::upper_bound(places_, address, {}, &Place::begin);
            place = static_cast<std::size_t>(next - places_.begin()) - 1; // the first begins at lowest_ or below
            if (!places_[place].contains(address)) return kNoEntry;
        }
        const auto& found = places_[place];
        return found.entry + static_cast<std::size_t>((address - found.begin) >> found.shift);
    }
    void prefetchEntry(std::size_t entry) const { __builtin_prefetch(&firstBlocks_[entry]); }
    void prefetchBlocks(std::size_t entry) const {
        const auto next = firstBlocks_[entry];
        __builtin_prefetch(&blocks_[next == 0 ? 0 : next - 1]);
    }
    [[nodiscard]] std::uint32_t findIn(std::size_t entry, Address address) const {
        std::size_t low = firstBlocks_[entry], high = firstBlocks_[entry + 1];
        // The first block above the address; few entries have more than some blocks.
        constexpr std::size_t kFew = 4;
        while (high - low > kFew) {
            const auto middle = low + (high - low) / 2;
            (blocks_[middle].address > address ? high : low) = middle;
        }
        while (low < high && blocks_[low].address <= address)
            ++low;
        const auto& block = blocks_[low - 1]; // exists: the first of the place is not above the address
        const bool isIn = address - block.address <= lastOf(block) - block.address;
        return isIn ? static_cast<std::uint32_t>(low - 1) : kNone;
    }

  private:
    /// The number of elements precedes an array with destructors. Of an array without elements, the program has the
    /// address behind it.
    static constexpr ByteCount kNumberOfElements = 8;
    /// The last address that refers to the block.
    [[nodiscard]] static Address lastOf(const PictureBlock& block) {
        return block.address + (block.bytes == 0 || block.bytes == kNumberOfElements ? block.bytes : block.bytes - 1);
    }

    struct Place {
        Address begin = 0;
        Address last = 0;      ///< included
        std::size_t entry = 0; ///< its first in firstBlocks_
        int shift = 0;         ///< an entry is for 2^shift bytes
        [[nodiscard]] bool contains(Address address) const { return address >= begin && address <= last; }
    };

    void addPlace(std::size_t first, std::size_t end);
    std::span<const PictureBlock> blocks_;
    Address lowest_ = 0;
    Address span_ = 0;
    std::vector<Place> places_;
    /// For each entry the first block that begins in it or above; one more at the end of each place.
    std::vector<std::uint32_t, LargeAllocator<std::uint32_t>> firstBlocks_;
};

} // namespace highwater::references
