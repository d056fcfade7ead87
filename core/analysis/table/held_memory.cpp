#include "core/analysis/table/held_memory.h"

#include "core/analysis/rows/row_population.h"
#include "core/analysis/rows/stop_interval.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace highwater::analysis {
namespace {

/// Counts rows by their parts; those of a row follow each other.
class PartRowCount {
  public:
    void add(RowId row) {
        if (std::exchange(last_, row) != row) ++count_;
    }
    [[nodiscard]] std::uint64_t count() const { return count_; }

  private:
    std::optional<RowId> last_;
    std::uint64_t count_ = 0;
};

} // namespace

bool holdsMuchMore(const HeldMemory& memory) {
    return memory.heldPages >= (ByteCount{1} << 20) && memory.heldPages / 4 >= memory.resident;
}

HeldMemoryCounter::HeldMemoryCounter(const RowSelection& selection, RowsOnPages rows)
    : selection_(&selection), rows_(std::move(rows)), seenOnPage_(rows_.pageCount()) {}

std::optional<HeldMemoryCounter> HeldMemoryCounter::make(const RowSelection& selection, Table table, TimeRange interval,
                                                         const std::stop_token& stop) {
    const auto& population = dynamic_cast<const RowPopulation&>(selection.population());
    auto rows = RowsOnPages::find(population.rows().trace(), rowsOf(table), interval, stop);
    if (!rows) return std::nullopt;
    HeldMemoryCounter counter(selection, *std::move(rows));
    // If only some rows of a cell are selected, groups consist of rows.
    if (!selection.singleRows() && !counter.sortByCells(stop)) return std::nullopt;
    return counter;
}

bool HeldMemoryCounter::sortByCells(const std::stop_token& stop) {
    const auto& population = dynamic_cast<const RowPopulation&>(selection_->population());
    const auto parts = rows_.parts();
    const auto& members = population.rows();
    const auto cellOf = [&](RowId row) {
        const bool isMember = members.isMember(members.view().begin(row).ns, members.end(row).ns);
        return isMember ? population.cellOf(row) : kNoCell;
    };
    std::vector<std::uint32_t> cellOfPart(parts.size());
    firstOfCell_.resize(selection_->cells().size() + 1);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i % kStopEvery == 0 && stop.stop_requested()) return false;
        cellOfPart[i] = cellOf(parts[i].row);
        if (cellOfPart[i] != kNoCell) ++firstOfCell_[cellOfPart[i]];
    }
    std::exclusive_scan(firstOfCell_.begin(), firstOfCell_.end(), firstOfCell_.begin(), std::uint32_t{0});
    partsOfCells_.resize(firstOfCell_.back());
    auto next = firstOfCell_;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (cellOfPart[i] != kNoCell) partsOfCells_[next[cellOfPart[i]]++] = static_cast<std::uint32_t>(i);
    }
    return true;
}

bool HeldMemoryCounter::isSampled(NodeTree::Element element) const {
    const auto row = element & ~NodeTree::kRow;
    const auto key = row == element ? selection_->cells()[element].key : selection_->population().facts(row).key;
    const auto process = selection_->reader().key(Column::Process, key);
    return rows_.isSampled(ProcessIndex{static_cast<std::uint32_t>(process)});
}

template <typename Visit>
void HeldMemoryCounter::eachPart(Elements elements, Visit visit) const {
    for (const auto element : elements) {
        if ((element & NodeTree::kRow) != 0) {
            std::ranges::for_each(rows_.partsOf(static_cast<RowId>(element)), visit);
            continue;
        }
        for (auto i = firstOfCell_[element]; i < firstOfCell_[element + 1]; ++i)
            visit(rows_.parts()[partsOfCells_[i]]);
    }
}

std::optional<HeldMemory> HeldMemoryCounter::count(Elements elements) {
    if (rows_.samples().empty()) return std::nullopt;
    if (std::ranges::none_of(elements, [&](auto element) { return isSampled(element); })) return std::nullopt;
    HeldMemory memory;
    std::uint64_t pages = 0;
    PartRowCount rows, unknown;
    const auto addPage = [&](std::uint32_t page) {
        if (page != RowsOnPages::kNoPage && ++seenOnPage_[page] == rows_.partsOn(page)) ++pages;
    };
    const auto forgetPage = [&](std::uint32_t page) {
        if (page != RowsOnPages::kNoPage) seenOnPage_[page] = 0;
    };
    eachPart(elements, [&](const RowsOnPages::Part& part) {
        if (part.isOnUnknownPages) unknown.add(part.row);
        if (!part.isResident()) return;
        rows.add(part.row);
        memory.resident += part.resident;
        pages += part.innerPages;
        addPage(part.firstPage);
        addPage(part.lastPage);
    });
    eachPart(elements, [&](const RowsOnPages::Part& part) {
        forgetPage(part.firstPage);
        forgetPage(part.lastPage);
    });
    if (unknown.count() > 0 && rows.count() == 0) return std::nullopt;
    memory.rows = rows.count();
    memory.rowsOnUnknownPages = unknown.count();
    memory.heldPages = pages * kResidentPageBytes;
    return memory;
}

std::uint64_t HeldMemoryCounter::countUnknown(Elements elements) const {
    PartRowCount unknown;
    eachPart(elements, [&](const RowsOnPages::Part& part) {
        if (part.isOnUnknownPages) unknown.add(part.row);
    });
    return unknown.count();
}

} // namespace highwater::analysis
