#pragma once

#include "core/analysis/rows/row_selection.h"
#include "core/analysis/table/node_tree.h"
#include "core/base/ids.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::analysis {

/// Finds which of a list of rows belong to the elements of a group. Sorted once; each group then takes time
/// proportional to its own rows. Immutable. The selection must outlive it.
class RowsByCell {
  public:
    using Elements = std::span<const NodeTree::Element>;

    /// `rows`: ascending; a row may occur several times. Nothing: stopped.
    [[nodiscard]] static std::optional<RowsByCell> make(const RowSelection& selection, std::vector<RowId> rows,
                                                        const std::stop_token& stop);

    /// Calls visit(index in the list) for each row of these cells and rows of the selection.
    template <typename Visit>
    void each(Elements elements, Visit visit) const {
        for (const auto element : elements) {
            if ((element & NodeTree::kRow) != 0) {
                const auto [first, last] = std::ranges::equal_range(rows_, static_cast<RowId>(element));
                for (auto row = first; row != last; ++row)
                    visit(static_cast<std::uint32_t>(row - rows_.begin()));
                continue;
            }
            for (auto i = firstOfCell_[element]; i < firstOfCell_[element + 1]; ++i)
                visit(rowsOfCells_[i]);
        }
    }
    [[nodiscard]] ProcessIndex processOf(NodeTree::Element element) const;

  private:
    explicit RowsByCell(const RowSelection& selection, std::vector<RowId> rows)
        : selection_(&selection), rows_(std::move(rows)) {}
    /// False: stopped.
    [[nodiscard]] bool sort(const std::stop_token& stop);

    const RowSelection* selection_;
    std::vector<RowId> rows_;
    std::vector<std::uint32_t> firstOfCell_; ///< by cell and one more: its first place in rowsOfCells_
    std::vector<std::uint32_t> rowsOfCells_;
};

} // namespace highwater::analysis
