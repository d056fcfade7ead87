#pragma once

#include "core/analysis/pictures/picture_rows.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/table/rows_by_cell.h"
#include "core/base/units.h"
#include "core/references/retained.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Retained of groups of the Heap table: the bytes that would be unreachable without the blocks of the group, these
/// included, at the newest picture of their processes: docs/numbers.md 26. The rows of the pictures are found once. One
/// thread at a time. The selection must outlive it.
class RetainedMemory {
  public:
    /// Nothing: stopped.
    [[nodiscard]] static std::optional<RetainedMemory> make(const RowSelection& selection, TimeRange interval,
                                                            const std::stop_token& stop);
    /// Nothing: none of the processes of these elements has a picture in the interval.
    [[nodiscard]] std::optional<ByteCount> of(RowsByCell::Elements elements);

  private:
    RetainedMemory(PictureRows pictures, std::vector<PictureRows::Place> places, RowsByCell byCell);

    PictureRows pictures_;
    std::vector<PictureRows::Place> places_; ///< of the rows
    RowsByCell byCell_;
    std::vector<references::RetainedSizes> sizes_;   ///< by picture
    std::vector<std::vector<std::uint32_t>> blocks_; ///< by picture, of the current group
};

} // namespace highwater::analysis
