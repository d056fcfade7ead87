#pragma once

#include "core/analysis/balance/page_ranges.h"
#include "core/base/units.h"

#include <algorithm>
#include <cstdint>

namespace highwater::analysis {

/// The bytes of a heap block, and those that the allocator needs around it: begin <= blockBegin <= blockEnd <= end.
struct BlockExtent {
    Address begin = 0;
    Address blockBegin = 0;
    Address blockEnd = 0;
    Address end = 0;
    bool hasOwnMapping = false; ///< malloc mapped it directly
    [[nodiscard]] bool isEmpty() const { return begin == end; }
};

/// The bytes that an allocator needs around its blocks.
enum class BlockRules : std::uint8_t {
    Glibc,
    None, ///< not known
};

/// Addresses and sizes come from files, so parts that no mapping can contain are cut off.
[[nodiscard]] BlockExtent extentOf(Address address, ByteCount size, BlockRules rules = BlockRules::Glibc);

/// A part of an extent in one page, as offsets in it: at most kResidentPageBytes each.
struct PagePiece {
    std::uint16_t begin = 0;
    std::uint16_t blockBegin = 0;
    std::uint16_t blockEnd = 0;
    std::uint16_t end = 0;
    friend bool operator==(const PagePiece&, const PagePiece&) = default;
};

/// Visits the pages of an extent: piece(page, PagePiece) in ascending order, and whole(PageRange) at most once, for
/// many pages in a row that are all part of the block. The number of calls is limited, regardless of the size.
template <typename Piece, typename Whole>
void eachPage(const BlockExtent& extent, Piece piece, Whole whole) {
    if (extent.isEmpty()) return;
    constexpr PageNumber kFewPages = 8;
    const PageRange all{extent.begin / kResidentPageBytes, (extent.end - 1) / kResidentPageBytes + 1};
    PageRange inside{(extent.blockBegin + kResidentPageBytes - 1) / kResidentPageBytes,
                     extent.blockEnd / kResidentPageBytes};
    if (inside.last < inside.first + kFewPages) inside = {all.last, all.last};
    for (auto page = all.first; page < all.last; ++page) {
        if (page == inside.first) {
            whole(inside);
            page = inside.last;
            if (page == all.last) return;
        }
        const auto start = page * kResidentPageBytes;
        const auto offset = [start](Address address) {
            return static_cast<std::uint16_t>(std::clamp(address, start, start + kResidentPageBytes) - start);
        };
        piece(page,
              PagePiece{offset(extent.begin), offset(extent.blockBegin), offset(extent.blockEnd), offset(extent.end)});
    }
}

} // namespace highwater::analysis
