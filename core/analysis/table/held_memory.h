#pragma once

#include "core/analysis/balance/rows_on_pages.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/table/node_tree.h"
#include "core/analysis/table/rows_by_cell.h"
#include "core/base/units.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Resident and Held Pages of a group: docs/numbers.md 25.
struct HeldMemory {
    ByteCount resident = 0;  ///< bytes of its rows on resident pages
    ByteCount heldPages = 0; ///< resident pages on which no other row is
    std::uint64_t rows = 0;  ///< on resident pages
    /// Left out of the above, at least in part, because it is unknown which of their pages are resident.
    std::uint64_t rowsOnUnknownPages = 0;
};

/// Whether the rows hold much more than their own bytes: at least 1 MB of pages, and four times as much.
[[nodiscard]] bool holdsMuchMore(const HeldMemory& memory);

/// Counts the pages of groups of Heap or VirtualAlloc. The rows that exist at the samples are found once; each
/// group then takes time proportional to its own. One thread at a time. The selection must outlive it.
class HeldMemoryCounter {
  public:
    /// Nothing: stopped.
    [[nodiscard]] static std::optional<HeldMemoryCounter> make(const RowSelection& selection, Table table,
                                                               TimeRange interval, const std::stop_token& stop);

    using Elements = std::span<const NodeTree::Element>;
    /// For these cells and rows of the selection, without duplicates. Nothing: none of their processes has a sample in
    /// the interval, or all pages that they may have in RAM are unknown.
    [[nodiscard]] std::optional<HeldMemory> count(Elements elements);
    /// HeldMemory::rowsOnUnknownPages, also if count() returns nothing.
    [[nodiscard]] std::uint64_t countUnknown(Elements elements) const;
    /// When the newest samples in the interval were taken.
    [[nodiscard]] std::span<const RowsOnPages::Sampled> samples() const { return rows_.samples(); }

  private:
    HeldMemoryCounter(RowsOnPages rows, RowsByCell byCell);
    template <typename Visit>
    void eachPart(Elements elements, Visit visit) const;

    RowsOnPages rows_;
    RowsByCell byCell_;                     ///< of the parts
    std::vector<std::uint32_t> seenOnPage_; ///< parts of the current group; 0 between groups
};

} // namespace highwater::analysis
