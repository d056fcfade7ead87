#include "core/analysis/row_pass.h"

#include "core/analysis/parallel_spans.h"

#include <atomic>

namespace highwater::analysis {
namespace {

using store::AllocationTable;

/// The columns of one span. All chunks are multiples of a span, so each is contiguous.
struct SpanColumns {
    std::span<std::int64_t> begins;
    std::span<std::int64_t> ends;
    std::span<std::uint32_t> sizes;
    std::span<std::uint32_t> sites;
    std::uint64_t firstRow = 0;
};
static_assert(store::ChunkedColumn<std::int64_t>::kRowsPerChunk % AllocationTable::kSpanRows == 0);
static_assert(store::ChunkedColumn<std::uint32_t>::kRowsPerChunk % AllocationTable::kSpanRows == 0);

SpanColumns columnsOfSpan(const store::TableView& view, std::uint64_t span) {
    const auto& rows = view.columns->rows;
    const auto first = span << AllocationTable::kSpanShift;
    const auto last = std::min(view.rows, first + AllocationTable::kSpanRows);
    return {rows.begins().contiguous(first, last), rows.ends().contiguous(first, last),
            rows.narrowSizes().contiguous(first, last), rows.sites().contiguous(first, last), first};
}

/// kind of an end site by its id, in one byte: a cache holds far more of them than of whole sites.
std::vector<std::uint8_t> endKinds(const store::TableView& view) {
    std::vector<std::uint8_t> kinds(std::max(view.endSites, 1u));
    for (std::uint32_t i = 0; i < view.endSites; ++i) {
        kinds[i] = view.columns->endSites[SiteId{i}].kind % DenseIndex::kEndKinds;
    }
    return kinds;
}

/// What a worker needs beside the columns.
struct PassInput {
    const IntervalRows& rows;
    DenseIndex index;
    std::vector<std::uint8_t> kinds;
};

/// The loop. Everything that is not asked for is compiled away.
template <bool kByEndKind, bool kByZero, bool kExits>
void countSpan(const PassInput& input, std::uint64_t span, DenseCell* cells) {
    const auto columns = columnsOfSpan(input.rows.view(), span);
    const auto bounds = input.rows.bounds();
    const auto horizon = input.rows.view().horizon.ns;
    const auto& table = input.rows.view().columns->rows;
    const auto* exits = input.rows.exits().data();
    const auto rowCount = columns.begins.size();
    for (std::size_t i = 0; i < rowCount; ++i) {
        const auto begin = columns.begins[i];
        auto end = std::atomic_ref(columns.ends[i]).load(std::memory_order_relaxed);
        const auto site = columns.sites[i];
        const std::uint64_t size = columns.sizes[i];
        [[maybe_unused]] std::uint64_t kind = 0;
        if constexpr (kByEndKind) {
            // End sites of later publications may be unknown here; those rows have not ended yet.
            const bool ended = end < horizon;
            const auto endSite = table.endSite(static_cast<RowId>(columns.firstRow + i)).value;
            kind = ended ? input.kinds[ended ? endSite : 0] : 0;
            if constexpr (kExits) {
                const bool byExit = std::max(exits[site], begin) < (ended ? end : kNever.ns);
                kind = byExit ? static_cast<std::uint64_t>(store::EndKind::ProcessExit) : kind;
            }
        }
        if constexpr (kExits) end = std::min(end, std::max(exits[site], begin));
        const bool member = (begin < bounds.t1) & ((end > bounds.end0) | (begin >= bounds.t0));
        auto cell = std::uint64_t{site} * 4 + (begin >= bounds.t0 ? 2 : 0) + (end < bounds.t1 ? 1 : 0);
        if constexpr (kByEndKind) cell = cell * DenseIndex::kEndKinds + kind;
        if constexpr (kByZero) cell = cell * 2 + (size == 0 ? 1 : 0);
        cells[cell].count += member ? 1 : 0;
        cells[cell].bytes += member ? size : 0;
    }
}

using SpanLoop = void (*)(const PassInput&, std::uint64_t, DenseCell*);

SpanLoop chooseLoop(RowPassOptions options, bool exits) {
    static constexpr SpanLoop kLoops[] = {countSpan<false, false, false>, countSpan<false, false, true>,
                                          countSpan<false, true, false>,  countSpan<false, true, true>,
                                          countSpan<true, false, false>,  countSpan<true, false, true>,
                                          countSpan<true, true, false>,   countSpan<true, true, true>};
    return kLoops[(options.byEndKind ? 4 : 0) + (options.byZero ? 2 : 0) + (exits ? 1 : 0)];
}

} // namespace

std::optional<std::vector<DenseCell>> countRows(const IntervalRows& rows, RowPassOptions options,
                                                const std::stop_token& stop) {
    const auto& view = rows.view();
    const PassInput input{rows, DenseIndex(options), options.byEndKind ? endKinds(view) : std::vector<std::uint8_t>()};
    const auto loop = chooseLoop(options, !rows.exits().empty());
    const auto spans = (view.rows + AllocationTable::kSpanRows - 1) >> AllocationTable::kSpanShift;
    // Every thread has cells of its own; do not let them cost more than the rows.
    const auto cellCount = std::uint64_t{view.sites} * input.index.perSite();
    const auto workers = cellCount > view.rows ? 1 : workersFor(spans);
    std::vector<std::vector<DenseCell>> cells(workers);
    for (auto& own : cells) {
        own.resize(cellCount);
    }
    const bool finished = forEachSpan(spans, workers, stop, [&](unsigned worker, std::uint64_t span) {
        if (!rows.spanIsOutside(span)) loop(input, span, cells[worker].data());
    });
    if (!finished) return std::nullopt;
    for (unsigned worker = 1; worker < workers; ++worker) {
        for (std::uint64_t i = 0; i < cellCount; ++i) {
            cells[0][i].count += cells[worker][i].count;
            cells[0][i].bytes += cells[worker][i].bytes;
        }
    }
    return std::move(cells[0]);
}

} // namespace highwater::analysis
