#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"

#include <tsl/robin_map.h>

#include <vector>

namespace highwater::store {

/// The outstanding blocks of one heap: address -> row. Pipeline thread only.
class BlockMap {
  public:
    static constexpr RowId kNoRow = 0xFFFFFFFFu;
    struct Block {
        RowId row = kNoRow;
    };

    /// The block at the address, new ones with kNoRow: the caller sets its row or erases it.
    Block& findOrAdd(Address address) { return blocks_.try_emplace(address).first.value(); }
    [[nodiscard]] const Block* find(Address address) const {
        const auto found = blocks_.find(address);
        return found == blocks_.end() ? nullptr : &found->second;
    }
    /// Removes the block and returns its row; kNoRow if there is none.
    RowId take(Address address) {
        const auto found = blocks_.find(address);
        if (found == blocks_.end()) return kNoRow;
        const auto row = found->second.row;
        blocks_.erase(found);
        return row;
    }
    void erase(Address address) { blocks_.erase(address); }
    [[nodiscard]] bool isEmpty() const { return blocks_.empty(); }
    [[nodiscard]] std::vector<RowId> rows() const {
        std::vector<RowId> rows;
        rows.reserve(blocks_.size());
        for (const auto& [address, block] : blocks_)
            rows.push_back(block.row);
        return rows;
    }
    [[nodiscard]] std::uint64_t bytesReserved() const { return blocks_.bucket_count() * 24; }

  private:
    struct Hash {
        std::size_t operator()(Address address) const noexcept {
            return static_cast<std::size_t>((address * 0x9E3779B97F4A7C15ull) >> 32);
        }
    };
    tsl::robin_map<Address, Block, Hash> blocks_;
};

} // namespace highwater::store
