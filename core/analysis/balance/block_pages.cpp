#include "core/analysis/balance/block_pages.h"

#include <bit>

namespace highwater::analysis {
namespace {

/// A bit for each byte of a page. The pieces of a page are added and removed in any order; counting bits gives the
/// right number whatever the order.
class ByteMap {
  public:
    void set(std::uint32_t begin, std::uint32_t end) {
        if (begin >= end) return;
        const auto first = begin / 64, last = (end - 1) / 64;
        const auto from = ~std::uint64_t{0} << begin % 64, to = ~std::uint64_t{0} >> (63 - (end - 1) % 64);
        if (first == last) {
            words_[first] |= from & to;
            return;
        }
        words_[first] |= from;
        for (auto word = first + 1; word < last; ++word)
            words_[word] = ~std::uint64_t{0};
        words_[last] |= to;
    }
    [[nodiscard]] std::uint16_t count() const {
        int bits = 0;
        for (const auto word : words_)
            bits += std::popcount(word);
        return static_cast<std::uint16_t>(bits);
    }

  private:
    std::array<std::uint64_t, kResidentPageBytes / 64> words_{};
};

} // namespace

BlockPages::BlockPages(std::vector<UsedPage> pages)
    : pages_(std::move(pages)), pieces_(pages_.size()), uses_(pages_.size()), isStale_(pages_.size()) {
    placeOfPage_.reserve(pages_.size());
    for (std::size_t i = 0; i < pages_.size(); ++i)
        placeOfPage_.emplace(pages_[i].page, static_cast<std::uint32_t>(i));
}

std::optional<std::uint32_t> BlockPages::placeOf(PageNumber page) const {
    const auto found = placeOfPage_.find(page);
    if (found == placeOfPage_.end()) return std::nullopt;
    return found->second;
}

void BlockPages::add(const BlockExtent& extent) {
    eachPage(
        extent,
        [&](PageNumber page, const PagePiece& piece) {
            const auto place = placeOf(page);
            if (!place) return;
            pieces_[*place].push_back(piece);
            isStale_[*place] = 1;
        },
        [&](PageRange range) { whole_.add(range); });
}

void BlockPages::remove(const BlockExtent& extent) {
    eachPage(
        extent,
        [&](PageNumber page, const PagePiece& piece) {
            const auto place = placeOf(page);
            if (!place) return;
            auto& pieces = pieces_[*place];
            const auto found = std::ranges::find(pieces, piece);
            if (found == pieces.end()) return;
            *found = pieces.back();
            pieces.pop_back();
            isStale_[*place] = 1;
        },
        [&](PageRange range) { whole_.remove(range); });
}

bool BlockPages::isHeapBefore(PageRange range, TraceTime time) const {
    for (auto i = firstFrom(range.first); i < pages_.size() && pages_[i].page < range.last; ++i) {
        if (pages_[i].heapSince < time) return true;
    }
    return false;
}

void BlockPages::count(std::size_t place) {
    isStale_[place] = 0;
    if (pieces_[place].empty()) {
        uses_[place] = {};
        return;
    }
    ByteMap live, needed;
    for (const auto& piece : pieces_[place]) {
        live.set(piece.blockBegin, piece.blockEnd);
        needed.set(piece.begin, piece.end);
    }
    const auto bytes = live.count();
    uses_[place] = {bytes, static_cast<std::uint16_t>(needed.count() - bytes)};
}

} // namespace highwater::analysis
