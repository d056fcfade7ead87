#pragma once

#include "core/analysis/balance/block_extent.h"
#include "core/analysis/balance/memory_layer.h"
#include "core/analysis/balance/page_ranges.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace highwater::analysis {

/// A page that blocks of a process use at some time.
struct UsedPage {
    PageNumber page = 0;
    TraceTime heapSince = kNever; ///< a block of a heap, without a mapping of its own, first began on it
};

/// Until when after the time of a sample a first block identifies a heap. The sizes and pages of a sample are read for
/// some time, during which a growing program can begin a heap.
[[nodiscard]] inline TraceTime endOfReading(TraceTime sample) {
    constexpr std::int64_t kLongestNs = 250'000'000;
    return sample > TraceTime{kNever.ns - kLongestNs} ? kNever : TraceTime{sample.ns + kLongestNs};
}

/// Bytes of one page.
struct PageUse {
    std::uint16_t live = 0;
    std::uint16_t rounding = 0;
    [[nodiscard]] bool isEmpty() const { return live == 0 && rounding == 0; }
};

/// The live blocks of a process, by page. Blocks may overlap, as when frees were lost: each byte counts once. A page is
/// counted again only if its blocks have changed. One thread at a time.
class BlockPages {
  public:
    /// Ascending pages without duplicates. Blocks on other pages are ignored.
    explicit BlockPages(std::vector<UsedPage> pages);

    void add(const BlockExtent& extent);
    /// A block that was added.
    void remove(const BlockExtent& extent);
    /// Whether a block of a heap had begun before that time on any of these pages.
    [[nodiscard]] bool isHeapBefore(PageRange range, TraceTime time) const;
    /// Pages that are wholly part of a block. Others are in countIn().
    [[nodiscard]] const PageRanges& wholePages() { return whole_.merged(); }

    /// Visits, in order, the pages in the range with parts of blocks, and the gaps between them: used(PageUse),
    /// gap(PageRange).
    template <typename Used, typename Gap>
    void countIn(PageRange range, Used used, Gap gap) {
        auto at = range.first;
        for (auto i = firstFrom(range.first); i < pages_.size() && pages_[i].page < range.last; ++i) {
            const auto use = useOf(i);
            if (use.isEmpty()) continue;
            const auto page = pages_[i].page;
            if (page > at) gap(PageRange{at, page});
            used(use);
            at = page + 1;
        }
        if (at < range.last) gap(PageRange{at, range.last});
    }

  private:
    [[nodiscard]] std::size_t firstFrom(PageNumber page) const {
        const auto found = std::ranges::lower_bound(pages_, page, {}, &UsedPage::page);
        return static_cast<std::size_t>(found - pages_.begin());
    }
    [[nodiscard]] std::optional<std::uint32_t> placeOf(PageNumber page) const;
    [[nodiscard]] PageUse useOf(std::size_t place) {
        if (isStale_[place]) count(place);
        return uses_[place];
    }
    void count(std::size_t place);

    std::vector<UsedPage> pages_;
    tsl::robin_map<PageNumber, std::uint32_t, SeededHash> placeOfPage_;
    // By place in pages_:
    std::vector<std::vector<PagePiece>> pieces_;
    std::vector<PageUse> uses_;
    std::vector<std::uint8_t> isStale_; ///< its use is not up to date
    ChangingRanges whole_;
};

} // namespace highwater::analysis
