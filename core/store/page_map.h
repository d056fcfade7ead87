#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/store/row_numbers.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace highwater::store {

inline constexpr unsigned kPageShift = 12;

/// Page numbers [first, end), pages of 4096 bytes.
struct PageRange {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
    friend bool operator==(PageRange, PageRange) = default;
    [[nodiscard]] bool isEmpty() const { return end <= first; }
    [[nodiscard]] std::uint64_t pages() const { return isEmpty() ? 0 : end - first; }
    [[nodiscard]] ByteCount bytes() const { return pages() << kPageShift; }
};

/// The pages that [address, address + size) touches; empty for size 0. Cut off below the topmost page of the address
/// space, so that neither ends nor byte counts overflow.
[[nodiscard]] PageRange pagesOf(Address address, ByteCount size);

/// One address space: which pages are committed and by which row, and which ranges are reserved.
/// A map of ranges: costs grow with their number, never with the number of pages. Pipeline thread only.
class PageMap {
  public:
    struct RowPages {
        RowId row = 0;
        std::uint64_t pages = 0;
    };

    // --- committed pages ---
    /// Appends the parts of `range` that are not committed, in order.
    void findGaps(PageRange range, std::vector<PageRange>& gaps) const;
    /// `range` must not overlap committed pages.
    void map(PageRange range, RowId row);
    /// Uncommits what is committed of `range` and appends what each row lost; one row may appear several times.
    void unmap(PageRange range, std::vector<RowPages>& unmapped);
    /// Committed pages without a gap from `page` on, up to where a known reservation starts. Empty: `page` is not
    /// committed.
    [[nodiscard]] PageRange runFrom(std::uint64_t page) const;
    [[nodiscard]] std::uint64_t mappedPages(PageRange range) const;

    /// visit(PageRange, RowId), in the order of addresses.
    template <typename Visit>
    void forEachPiece(const Visit& visit) const {
        for (const auto& [first, piece] : pieces_)
            visit(PageRange{first, piece.end}, piece.row);
    }
    void renumber(const RowNumbers& numbers) {
        for (auto& [first, piece] : pieces_)
            piece.row = numbers.of(piece.row);
    }

    // --- reservations ---
    /// A reservation was made: what was known to be reserved there is gone.
    void reserve(PageRange range);
    /// A reservation that is older than what is known (rundown). Nothing changes where some reservation is known.
    void reserveBefore(PageRange range);
    /// Cuts the range out of all reservations.
    void unreserve(PageRange range);
    /// The reservation that starts at exactly this page.
    [[nodiscard]] std::optional<PageRange> reservationAt(std::uint64_t page) const;
    [[nodiscard]] bool isReservedAnywhere(PageRange range) const;
    /// visit(PageRange) for those that were seen being made.
    template <typename Visit>
    void forEachReservation(const Visit& visit) const {
        for (const auto& [first, reservation] : reservations_) {
            if (reservation.seenMade) visit(PageRange{first, reservation.end});
        }
    }
    /// Pages of `range` that are not committed, and may have been before the recording: those outside the reservations
    /// that were seen being made.
    [[nodiscard]] std::uint64_t unknownPages(PageRange range) const;

  private:
    struct Piece {
        std::uint64_t end = 0;
        RowId row = 0;
    };
    struct Reservation {
        std::uint64_t end = 0;
        bool seenMade = false;
    };

    std::map<std::uint64_t, Piece> pieces_;             ///< by first page
    std::map<std::uint64_t, Reservation> reservations_; ///< by first page
};

} // namespace highwater::store
