#include "core/analysis/table/retained_memory.h"

#include "core/analysis/rows/row_population.h"
#include "core/analysis/rows/stop_interval.h"

#include <algorithm>
#include <utility>

namespace highwater::analysis {

RetainedMemory::RetainedMemory(PictureRows pictures, std::vector<PictureRows::Place> places, RowsByCell byCell)
    : pictures_(std::move(pictures)),
      places_(std::move(places)),
      byCell_(std::move(byCell)),
      blocks_(pictures_.all().size()) {
    for (const auto& pictured : pictures_.all())
        sizes_.emplace_back(*pictured.picture);
}

std::optional<RetainedMemory> RetainedMemory::make(const RowSelection& selection, TimeRange interval,
                                                   const std::stop_token& stop) {
    const auto& trace = dynamic_cast<const RowPopulation&>(selection.population()).rows().trace();
    PictureRows pictures(trace, interval);
    std::vector<RowId> rows;
    std::vector<PictureRows::Place> places;
    const auto& heap = trace.heap;
    for (RowId row = 0; !pictures.all().empty() && row < heap.rows; ++row) {
        if (row % kStopEvery == 0 && stop.stop_requested()) return std::nullopt;
        const auto place = pictures.find(trace.heapOf(heap.site(row)).process, heap.columns->rows.address(row),
                                         heap.begin(row), heap.end(row));
        if (!place) continue;
        rows.push_back(row);
        places.push_back(*place);
    }
    auto byCell = RowsByCell::make(selection, std::move(rows), stop);
    if (!byCell) return std::nullopt;
    return RetainedMemory(std::move(pictures), std::move(places), *std::move(byCell));
}

std::optional<ByteCount> RetainedMemory::of(RowsByCell::Elements elements) {
    const auto isPictured = [&](auto element) { return pictures_.isPictured(byCell_.processOf(element)); };
    if (sizes_.empty() || std::ranges::none_of(elements, isPictured)) return std::nullopt;
    byCell_.each(elements, [&](std::uint32_t row) { blocks_[places_[row].pictured].push_back(places_[row].block); });
    ByteCount sum = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        sum += sizes_[i].ofGroup(blocks_[i]); // cannot overflow: blocks do not overlap
        blocks_[i].clear();
    }
    return sum;
}

} // namespace highwater::analysis
