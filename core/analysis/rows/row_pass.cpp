#include "core/analysis/rows/row_pass.h"

#include "core/analysis/rows/large_array.h"
#include "core/analysis/rows/parallel_spans.h"

#include <algorithm>
#include <span>

namespace highwater::analysis {

using store::AllocationTable;

// All chunks are multiples of a span, so the rows of a span are contiguous.
static_assert(store::ChunkedColumn<std::int64_t>::kRowsPerChunk % AllocationTable::kSpanRows == 0);
static_assert(store::ChunkedColumn<std::uint32_t>::kRowsPerChunk % AllocationTable::kSpanRows == 0);

EndCodes::EndCodes(const IntervalRows& rows, RowPassOptions options)
    : kinds_(options.byEndKind ? store::kEndKinds : 1), marks_(options.byTemporary ? 2 : 1) {
    std::array<bool, kMost> occurs{};
    occurs[0] = true;
    if (kinds_ * marks_ > 1) {
        const auto& view = rows.view();
        for (std::uint32_t i = 0; i < view.endSites; ++i) {
            const auto& site = view.columns->endSites[SiteId{i}];
            occurs[fullOf(static_cast<store::EndKind>(site.kind), site.isTemporary)] = true;
        }
        if (!rows.exits().empty()) occurs[fullOf(store::EndKind::ProcessExit, false)] = true;
    }
    for (std::size_t full = 0; full < kMost; ++full) {
        if (!occurs[full]) continue;
        codes_[full] = static_cast<std::uint8_t>(size_);
        fulls_[size_++] = static_cast<std::uint8_t>(full);
    }
}

RowScan::RowScan(const IntervalRows& rows, RowPassOptions options)
    : rows_(rows), index_(rows, options), fill_(chooseFill(options, !rows.exits().empty())) {
    const auto& codes = index_.endCodes();
    if (!options.byEndKind && !options.byTemporary) return;
    const auto& view = rows.view();
    codes_.resize(std::max(view.endSites, 1u));
    for (std::uint32_t i = 0; i < view.endSites; ++i) {
        const auto& site = view.columns->endSites[SiteId{i}];
        codes_[i] = static_cast<std::uint8_t>(codes.of(static_cast<store::EndKind>(site.kind), site.isTemporary));
    }
}

std::uint64_t RowScan::spans() const {
    return (rows_.view().rows + AllocationTable::kSpanRows - 1) >> AllocationTable::kSpanShift;
}
std::uint64_t RowScan::firstOfSpan(std::uint64_t span) const { return span << AllocationTable::kSpanShift; }
std::uint64_t RowScan::lastOfSpan(std::uint64_t span) const {
    return std::min(rows_.view().rows, firstOfSpan(span) + AllocationTable::kSpanRows);
}

// Template parameters remove everything that is not requested.
template <bool kByEnd, bool kByZero, bool kExits>
void RowScan::fill(const RowScan& scan, std::uint64_t first, std::uint64_t last, RowBlock& block) {
    const auto& view = scan.rows_.view();
    const auto& table = view.columns->rows;
    block.firstRow = first;
    block.count = std::min<std::size_t>(last - first, RowBlock::kRows);
    table.begins().read(first, std::span(block.begins).first(block.count));
    table.ends().read(first, std::span(block.ends).first(block.count));
    const auto* sizes = block.sizes = &table.narrowSizes()[first];
    const auto* sites = &table.sites()[first];
    const auto* exits = scan.rows_.exits().data();
    const auto bounds = scan.rows_.bounds();
    const auto none = scan.none();
    const auto& codes = scan.index().endCodes();
    const auto siteCount = static_cast<std::uint32_t>(std::max(view.sites, 1u));
    for (std::size_t i = 0; i < block.count; ++i) {
        const auto begin = block.begins[i];
        auto end = block.ends[i];
        const auto site = sites[i];
        std::uint32_t place = site;
        if constexpr (kByEnd) {
            // End sites of later publications may be unknown here; those rows have not ended yet.
            const bool ended = end < view.horizon.ns;
            const auto endSite = table.endSite(static_cast<RowId>(first + i)).value;
            std::uint32_t code = ended ? scan.codes_[ended ? endSite : 0] : 0;
            if constexpr (kExits) {
                const bool byExit = std::max(exits[site], begin) < (ended ? end : kNever.ns);
                code = byExit ? codes.of(store::EndKind::ProcessExit, false) : code;
            }
            place += code * siteCount;
        }
        if constexpr (kByZero) {
            place += sizes[i] == 0 ? siteCount * (kByEnd ? codes.size() : 1u) : 0u;
        }
        if constexpr (kExits) end = std::min(end, std::max(exits[site], begin));
        const bool member = (begin < bounds.t1) & ((end > bounds.end0) | (begin >= bounds.t0));
        const auto cell = place * 4 + (begin >= bounds.t0 ? 2u : 0u) + (end < bounds.t1 ? 1u : 0u);
        if constexpr (kExits) block.ends[i] = end;
        block.cells[i] = member ? cell : none;
    }
}

RowScan::Fill RowScan::chooseFill(RowPassOptions options, bool exits) {
    static constexpr Fill kFills[] = {fill<false, false, false>, fill<false, false, true>, fill<false, true, false>,
                                      fill<false, true, true>,   fill<true, false, false>, fill<true, false, true>,
                                      fill<true, true, false>,   fill<true, true, true>};
    return kFills[(options.byEndKind || options.byTemporary ? 4 : 0) + (options.byZero ? 2 : 0) + (exits ? 1 : 0)];
}

namespace {

CountedCells withRows(const LargeArray<DenseCell>& dense, std::uint64_t size) {
    const auto hasRows = [](const DenseCell& cell) { return cell.count > 0; };
    const auto count = static_cast<std::size_t>(std::count_if(dense.data(), dense.data() + size, hasRows));
    CountedCells counted;
    counted.places.reserve(count);
    counted.cells.reserve(count);
    for (std::uint64_t i = 0; i < size; ++i) {
        if (!hasRows(dense[i])) continue;
        counted.places.push_back(static_cast<std::uint32_t>(i));
        counted.cells.push_back(dense[i]);
    }
    return counted;
}

} // namespace

std::optional<CountedCells> countRows(const IntervalRows& rows, const RowScan& scan, const std::stop_token& stop) {
    // Every thread has its own cells, which must not cost more than the rows.
    const auto cellCount = scan.index().size();
    const auto workers = cellCount > rows.view().rows ? 1 : workersFor(scan.spans());
    std::vector<LargeArray<DenseCell>> cells;
    for (unsigned worker = 0; worker < workers; ++worker) {
        cells.emplace_back(cellCount + 1); // and one for rows that are not members
    }
    const bool finished = forEachSpan(scan.spans(), workers, stop, [&](unsigned worker, std::uint64_t span) {
        if (rows.spanIsOutside(span)) return;
        auto* own = cells[worker].data();
        scan.visit(scan.firstOfSpan(span), scan.lastOfSpan(span), [own](const RowBlock& block) {
            for (std::size_t i = 0; i < block.count; ++i) {
                auto& cell = own[block.cells[i]];
                ++cell.count;
                cell.bytes += block.sizes[i];
            }
        });
    });
    if (!finished) return std::nullopt;
    for (unsigned worker = 1; worker < workers; ++worker) {
        for (std::uint64_t i = 0; i < cellCount; ++i) {
            cells[0][i].count += cells[worker][i].count;
            cells[0][i].bytes += cells[worker][i].bytes;
        }
    }
    return withRows(cells[0], cellCount);
}

} // namespace highwater::analysis
