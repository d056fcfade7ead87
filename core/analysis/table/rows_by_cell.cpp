#include "core/analysis/table/rows_by_cell.h"

#include "core/analysis/rows/row_population.h"
#include "core/analysis/rows/stop_interval.h"

#include <numeric>

namespace highwater::analysis {

std::optional<RowsByCell> RowsByCell::make(const RowSelection& selection, std::vector<RowId> rows,
                                           const std::stop_token& stop) {
    RowsByCell byCell(selection, std::move(rows));
    // If only some rows of a cell are selected, groups consist of rows.
    if (!selection.singleRows() && !byCell.sort(stop)) return std::nullopt;
    return byCell;
}

bool RowsByCell::sort(const std::stop_token& stop) {
    const auto& population = dynamic_cast<const RowPopulation&>(selection_->population());
    const auto& members = population.rows();
    const auto cellOf = [&](RowId row) {
        const bool isMember = members.isMember(members.view().begin(row).ns, members.end(row).ns);
        return isMember ? population.cellOf(row) : kNoCell;
    };
    std::vector<std::uint32_t> cellOfRow(rows_.size());
    firstOfCell_.resize(selection_->cells().size() + 1);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (i % kStopEvery == 0 && stop.stop_requested()) return false;
        cellOfRow[i] = cellOf(rows_[i]);
        if (cellOfRow[i] != kNoCell) ++firstOfCell_[cellOfRow[i]];
    }
    std::exclusive_scan(firstOfCell_.begin(), firstOfCell_.end(), firstOfCell_.begin(), std::uint32_t{0});
    rowsOfCells_.resize(firstOfCell_.back());
    auto next = firstOfCell_;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (cellOfRow[i] != kNoCell) rowsOfCells_[next[cellOfRow[i]]++] = static_cast<std::uint32_t>(i);
    }
    return true;
}

ProcessIndex RowsByCell::processOf(NodeTree::Element element) const {
    const auto row = element & ~NodeTree::kRow;
    const auto key = row == element ? selection_->cells()[element].key : selection_->population().facts(row).key;
    return ProcessIndex{static_cast<std::uint32_t>(selection_->reader().key(Column::Process, key))};
}

} // namespace highwater::analysis
