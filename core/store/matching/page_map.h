#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/store/matching/page_range.h"
#include "core/store/matching/page_runs.h"
#include "core/store/published/row_numbers.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace highwater::store {

/// One address space: which pages are committed and by which row, and which ranges are reserved.
/// A map of ranges: costs grow with their number, never with the number of pages; and no call takes more steps than
/// about as many as there are ranges that it makes or that vanish by it. Pipeline thread only.
class PageMap {
  public:
    struct RowPages {
        RowId row = 0;
        std::uint64_t pages = 0;
    };

    // --- committed pages ---
    /// Appends the parts of `range` that are not committed, in order, up to so many pages.
    void findGaps(PageRange range, std::vector<PageRange>& gaps, std::uint64_t mostPages = kAllPages) const {
        runs_.findGaps(range, mostPages, gaps);
    }
    /// `range` must not overlap committed pages.
    void map(PageRange range, RowId row);
    /// Uncommits what is committed of `range` and appends what each row lost; one row may appear several times.
    void unmap(PageRange range, std::vector<RowPages>& unmapped);
    /// Committed pages without a gap from `page` on, up to where a known reservation starts. Empty: `page` is not
    /// committed.
    [[nodiscard]] PageRange runFrom(std::uint64_t page) const;
    [[nodiscard]] std::uint64_t mappedPages(PageRange range) const { return runs_.pagesIn(range); }

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
    /// that were seen being made. One call of Windows is about one reservation: what lies behind very many is not
    /// looked at, and counts as known.
    [[nodiscard]] std::uint64_t unknownPages(PageRange range) const;

  private:
    static constexpr std::uint64_t kAllPages = std::numeric_limits<std::uint64_t>::max();
    static constexpr int kMostReservations = 64; ///< that one call is about
    struct Piece {
        std::uint64_t end = 0;
        RowId row = 0;
    };
    struct Reservation {
        std::uint64_t end = 0;
        bool seenMade = false;
    };

    std::map<std::uint64_t, Piece> pieces_;             ///< by first page
    PageRuns runs_;                                     ///< the same pages, whosever they are
    std::map<std::uint64_t, Reservation> reservations_; ///< by first page
};

} // namespace highwater::store
