#include "core/store/matching/page_map.h"

#include <algorithm>

namespace highwater::store {
namespace {

constexpr std::uint64_t kEndPage = (std::uint64_t{1} << (64 - kPageShift)) - 1;

/// The first entry of a map of ranges that ends after `page`.
template <typename Map>
auto firstEndingAfter(Map& ranges, std::uint64_t page) {
    auto next = ranges.upper_bound(page);
    if (next == ranges.begin()) return next;
    const auto before = std::prev(next);
    return before->second.end > page ? before : next;
}

} // namespace

PageRange pagesOf(Address address, ByteCount size) {
    const auto first = address >> kPageShift;
    if (size == 0) return {first, first};
    const auto last = address + (size - 1);
    const auto end = last < address ? kEndPage : std::min((last >> kPageShift) + 1, kEndPage);
    return {std::min(first, end), end};
}

void PageMap::map(PageRange range, RowId row) {
    if (range.isEmpty()) return;
    pieces_.emplace(range.first, Piece{range.end, row});
    runs_.add(range);
}

void PageMap::unmap(PageRange range, std::vector<RowPages>& unmapped) {
    runs_.remove(range);
    auto it = firstEndingAfter(pieces_, range.first);
    while (it != pieces_.end() && it->first < range.end) {
        const auto first = it->first;
        const auto piece = it->second;
        const PageRange cut{std::max(first, range.first), std::min(piece.end, range.end)};
        unmapped.push_back({piece.row, cut.pages()});
        if (first < cut.first) {
            it->second.end = cut.first;
            ++it;
        } else {
            it = pieces_.erase(it);
        }
        if (cut.end < piece.end) it = std::next(pieces_.emplace_hint(it, cut.end, piece));
    }
}

PageRange PageMap::runFrom(std::uint64_t page) const {
    PageRange run{page, page};
    const auto reservation = reservations_.upper_bound(page);
    const auto limit = reservation == reservations_.end() ? kEndPage : reservation->first;
    for (auto it = firstEndingAfter(pieces_, page); it != pieces_.end() && it->first <= run.end; ++it) {
        if (run.end >= limit) break;
        run.end = std::min(it->second.end, limit);
    }
    return run;
}

void PageMap::reserve(PageRange range) {
    if (range.isEmpty()) return;
    auto it = firstEndingAfter(reservations_, range.first);
    while (it != reservations_.end() && it->first < range.end) {
        it = reservations_.erase(it);
    }
    reservations_.emplace(range.first, Reservation{range.end, true});
}

void PageMap::reserveBefore(PageRange range) {
    if (range.isEmpty() || isReservedAnywhere(range)) return;
    reservations_.emplace(range.first, Reservation{range.end, false});
}

void PageMap::unreserve(PageRange range) {
    auto it = firstEndingAfter(reservations_, range.first);
    while (it != reservations_.end() && it->first < range.end) {
        const auto first = it->first;
        const auto reservation = it->second;
        if (first < range.first) {
            it->second.end = range.first;
            ++it;
        } else {
            it = reservations_.erase(it);
        }
        if (range.end < reservation.end) it = std::next(reservations_.emplace_hint(it, range.end, reservation));
    }
}

std::optional<PageRange> PageMap::reservationAt(std::uint64_t page) const {
    const auto found = reservations_.find(page);
    if (found == reservations_.end()) return std::nullopt;
    return PageRange{page, found->second.end};
}

bool PageMap::isReservedAnywhere(PageRange range) const {
    const auto it = firstEndingAfter(reservations_, range.first);
    return it != reservations_.end() && it->first < range.end;
}

std::uint64_t PageMap::unknownPages(PageRange range) const {
    std::uint64_t known = 0; // in a recorded reservation, and not committed
    int looked = 0;
    for (auto it = firstEndingAfter(reservations_, range.first); it != reservations_.end() && it->first < range.end;
         ++it) {
        if (++looked > kMostReservations) {
            range.end = it->first;
            break;
        }
        if (!it->second.seenMade) continue;
        const PageRange inside{std::max(it->first, range.first), std::min(it->second.end, range.end)};
        known += inside.pages() - mappedPages(inside);
    }
    return range.pages() - mappedPages(range) - known;
}

} // namespace highwater::store
