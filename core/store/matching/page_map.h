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

/// One address space: which pages are committed by which row, and which ranges are reserved. Implemented as a map of
/// ranges, so costs depend on the number of ranges and not on the number of pages. The steps of each call are
/// proportional to the number of ranges that it creates or removes. Pipeline thread only.
class PageMap {
  public:
    struct RowPages {
        RowId row = 0;
        std::uint64_t pages = 0;
    };

    // --- committed pages ---
    /// Appends the parts of `range` that are not committed, in order, up to this number of pages.
    void findGaps(PageRange range, std::vector<PageRange>& gaps, std::uint64_t mostPages = kAllPages) const {
        runs_.findGaps(range, mostPages, gaps);
    }
    /// `range` must not overlap committed pages.
    void map(PageRange range, RowId row);
    /// Uncommits the committed pages of `range` and appends the pages that each row lost. A row may appear several
    /// times.
    void unmap(PageRange range, std::vector<RowPages>& unmapped);
    /// Contiguous committed pages from `page` up to the start of a known reservation. Empty if `page` is not committed.
    [[nodiscard]] PageRange runFrom(std::uint64_t page) const;
    [[nodiscard]] std::uint64_t mappedPages(PageRange range) const { return runs_.pagesIn(range); }

    /// visit(PageRange, RowId), ordered by address.
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
    /// Adds a new reservation, which replaces known reservations in its range.
    void reserve(PageRange range);
    /// Adds a reservation that is older than the known ones (rundown). Does not change ranges with a known reservation.
    void reserveBefore(PageRange range);
    /// Cuts the range out of all reservations.
    void unreserve(PageRange range);
    /// The reservation that starts at exactly this page.
    [[nodiscard]] std::optional<PageRange> reservationAt(std::uint64_t page) const;
    [[nodiscard]] bool isReservedAnywhere(PageRange range) const;
    /// visit(PageRange) for reservations whose creation was recorded.
    template <typename Visit>
    void forEachReservation(const Visit& visit) const {
        for (const auto& [first, reservation] : reservations_) {
            if (reservation.seenMade) visit(PageRange{first, reservation.end});
        }
    }
    /// Pages of `range` that are not committed but may have been before the recording: those outside the reservations
    /// whose creation was recorded. One Windows call concerns one reservation. Pages after more than kMostReservations
    /// of them are not checked and count as known.
    [[nodiscard]] std::uint64_t unknownPages(PageRange range) const;

  private:
    static constexpr std::uint64_t kAllPages = std::numeric_limits<std::uint64_t>::max();
    static constexpr int kMostReservations = 64; ///< checked per call
    struct Piece {
        std::uint64_t end = 0;
        RowId row = 0;
    };
    struct Reservation {
        std::uint64_t end = 0;
        bool seenMade = false;
    };

    std::map<std::uint64_t, Piece> pieces_;             ///< by first page
    PageRuns runs_;                                     ///< the same pages, regardless of row
    std::map<std::uint64_t, Reservation> reservations_; ///< by first page
};

} // namespace highwater::store
