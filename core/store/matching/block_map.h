#pragma once

#include "core/base/ids.h"
#include "core/base/seeded_hash.h"
#include "core/base/units.h"
#include "core/store/published/row_numbers.h"

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace highwater::store {

/// The outstanding blocks of one heap: address -> row. This is the program's hottest look-up and nearly always a cache
/// miss. Therefore it uses 16 bytes per block, one linear probe sequence (a removal closes the gap), large pages, and a
/// prefetch for callers that can do other work first. Address 0 is not a block. Pipeline thread only.
class BlockMap {
  public:
    static constexpr RowId kNoRow = 0xFFFFFFFFu;
    struct Block {
        Address address = 0;
        RowId row = kNoRow;
        std::uint32_t size = 0; ///< as in the row's narrow column; set by the caller
    };
    static_assert(sizeof(Block) == 16);

    /// Number of slots out of five that may be used before the table grows. Two give short probe sequences for twice
    /// the memory.
    explicit BlockMap(std::uint32_t fullOfFive = 4) : fullOfFive_(fullOfFive) {}

    /// Call shortly before find(), findOrAdd() or take() of this address.
    [[gnu::always_inline]] void prefetch(Address address) const {
        if (blocks_) __builtin_prefetch(&blocks_[indexOf(address)], 1);
    }

    /// The block at the address. A new block has kNoRow; the caller must set its row or erase it. Valid until the next
    /// change. Null if the system is out of memory.
    [[nodiscard]] Block* findOrAdd(Address address) {
        if (count_ >= limit_ && !grow()) [[unlikely]]
            return nullptr;
        auto& block = blocks_[slotOf(address)];
        if (block.address == 0) {
            block = Block{address, kNoRow, 0};
            ++count_;
        }
        return &block;
    }
    [[nodiscard]] const Block* find(Address address) const {
        if (count_ == 0) return nullptr;
        const auto& block = blocks_[slotOf(address)];
        return block.address == 0 ? nullptr : &block;
    }
    /// Removes and returns the block. Its row is kNoRow if there was no block.
    Block take(Address address) {
        if (count_ == 0) return {};
        const auto slot = slotOf(address);
        const auto block = blocks_[slot];
        if (block.address == 0) return {};
        closeGap(slot);
        --count_;
        return block;
    }

    void renumber(const RowNumbers& numbers);

    [[nodiscard]] bool isEmpty() const { return count_ == 0; }
    [[nodiscard]] std::vector<RowId> rows() const;
    [[nodiscard]] std::uint64_t bytesReserved() const { return blocks_ ? capacity() * sizeof(Block) : 0; }

  private:
    struct Free {
        void operator()(Block* blocks) const noexcept { std::free(blocks); }
    };

    [[nodiscard]] std::uint64_t capacity() const { return std::uint64_t{1} << (64 - shift_); }
    [[nodiscard]] std::uint64_t indexOf(Address address) const { return seededHash(address) >> shift_; }
    /// The slot of the address, or the free slot for it.
    [[nodiscard]] std::uint64_t slotOf(Address address) const {
        const auto mask = capacity() - 1;
        auto slot = indexOf(address);
        while (blocks_[slot].address != address && blocks_[slot].address != 0) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }
    void closeGap(std::uint64_t gap);
    bool grow();

    static constexpr unsigned kFirstShift = 64 - 6;
    std::unique_ptr<Block[], Free> blocks_; ///< zeroed: address 0 is free
    std::uint32_t fullOfFive_;
    unsigned shift_ = kFirstShift; ///< 64 - log2(capacity)
    std::uint64_t count_ = 0;
    std::uint64_t limit_ = 0; ///< the table grows at this count_
};

} // namespace highwater::store
