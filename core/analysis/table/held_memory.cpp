#include "core/analysis/table/held_memory.h"

#include "core/analysis/rows/row_population.h"

#include <algorithm>
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

HeldMemoryCounter::HeldMemoryCounter(RowsOnPages rows, RowsByCell byCell)
    : rows_(std::move(rows)), byCell_(std::move(byCell)), seenOnPage_(rows_.pageCount()) {}

std::optional<HeldMemoryCounter> HeldMemoryCounter::make(const RowSelection& selection, Table table, TimeRange interval,
                                                         const std::stop_token& stop) {
    const auto& population = dynamic_cast<const RowPopulation&>(selection.population());
    auto rows = RowsOnPages::find(population.rows().trace(), rowsOf(table), interval, stop);
    if (!rows) return std::nullopt;
    std::vector<RowId> ofParts;
    ofParts.reserve(rows->parts().size());
    for (const auto& part : rows->parts())
        ofParts.push_back(part.row);
    auto byCell = RowsByCell::make(selection, std::move(ofParts), stop);
    if (!byCell) return std::nullopt;
    return HeldMemoryCounter(*std::move(rows), *std::move(byCell));
}

template <typename Visit>
void HeldMemoryCounter::eachPart(Elements elements, Visit visit) const {
    byCell_.each(elements, [&](std::uint32_t part) { visit(rows_.parts()[part]); });
}

std::optional<HeldMemory> HeldMemoryCounter::count(Elements elements) {
    if (rows_.samples().empty()) return std::nullopt;
    const auto isSampled = [&](auto element) { return rows_.isSampled(byCell_.processOf(element)); };
    if (std::ranges::none_of(elements, isSampled)) return std::nullopt;
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
