#include "core/analysis/rows/release_population.h"

#include "core/analysis/rows/parallel_spans.h"

#include <algorithm>

namespace highwater::analysis {

using store::AllocationTable;
using store::TableKind;

namespace {
constexpr unsigned kTableBit = 62;
constexpr unsigned kKindShift = 60;
} // namespace

ReleasePopulation::ReleasePopulation(const store::PublishedTrace& trace, const PopulationOptions& options)
    : options_(options),
      rows_{IntervalRows(trace, TableKind::VirtualAlloc, options.rows),
            IntervalRows(trace, TableKind::Heap, options.rows)} {}

RowRef ReleasePopulation::pack(TableKind table, Kind kind, std::uint64_t index) {
    return (static_cast<RowRef>(table) << kTableBit) | (static_cast<RowRef>(kind) << kKindShift) | index;
}

std::unique_ptr<ReleasePopulation> ReleasePopulation::make(const store::PublishedTrace& trace,
                                                           const PopulationOptions& options,
                                                           const std::stop_token& stop) {
    std::unique_ptr<ReleasePopulation> population(new ReleasePopulation(trace, options));
    auto& cells = population->cells_;
    // Every worker counts into its own cells.
    const auto workers = population->workers();
    std::vector<LargeArray<Sums>> ofEndSites;
    for (unsigned worker = 0; worker < workers; ++worker)
        ofEndSites.emplace_back(population->endSites());
    std::vector<Cells> own(workers); // cells of the other workers
    std::vector<CellIndex> indices(workers);
    std::vector<std::vector<RowRef>> releases(workers);
    const bool finished = forEachSpan(population->pieces(), workers, stop, [&](unsigned worker, std::uint64_t piece) {
        releases[worker].clear();
        population->collect(piece, releases[worker]);
        for (const auto release : releases[worker]) {
            const auto facts = population->facts(release);
            if (isOfEndSite(facts.key))
                ofEndSites[worker][population->placeOf(facts.key)] += facts.sums;
            else
                own[worker][indices[worker].cellOf(facts.key, own[worker])].sums += facts.sums;
        }
    });
    if (!finished) return nullptr;
    population->addEndSites(ofEndSites);
    for (const auto& part : own) {
        for (const auto& cell : part) {
            cells[population->index_.cellOf(cell.key, cells)].sums += cell.sums;
        }
    }
    return population;
}

CellKey ReleasePopulation::keyOf(std::size_t place) const {
    const auto before = endSitesOf(TableKind::VirtualAlloc);
    CellKey key;
    key.table = place < before ? TableKind::VirtualAlloc : TableKind::Heap;
    key.endSite = static_cast<std::uint32_t>(place < before ? place : place - before);
    key.freeType = rowsOf(key.table).view().columns->endSites[SiteId{key.endSite}].kind;
    return key;
}

void ReleasePopulation::addEndSites(const std::vector<LargeArray<Sums>>& sums) {
    cellOfEndSite_.resize(endSites(), kNoCell);
    for (std::size_t place = 0; place < cellOfEndSite_.size(); ++place) {
        Sums all;
        for (const auto& part : sums)
            all += part[place];
        if (all.rows == 0) continue;
        cellOfEndSite_[place] = static_cast<std::uint32_t>(cells_.size());
        cells_.push_back(Cell{keyOf(place), all});
    }
}

std::uint32_t ReleasePopulation::cellWith(const CellKey& key) const {
    if (cellOfEndSite_.empty() || !isOfEndSite(key)) return IndexedPopulation::cellWith(key);
    return cellOfEndSite_[placeOf(key)];
}

void ReleasePopulation::renumberCells(const std::vector<std::uint32_t>& numbers) {
    IndexedPopulation::renumberCells(numbers);
    for (auto& cell : cellOfEndSite_)
        if (cell != kNoCell) cell = numbers[cell];
}

/// Releases at one end site may then have different labels.
bool ReleasePopulation::annotate(LabelsOfRows& labels, const std::stop_token& stop) {
    // Existing cells come first; the others are in the index.
    for (const auto cell : cellOfEndSite_)
        if (cell != kNoCell) index_.add(cells_[cell].key, cell);
    cellOfEndSite_ = {};
    return IndexedPopulation::annotate(labels, stop);
}

bool ReleasePopulation::isInside(TableKind table, TraceTime time) const {
    const auto& bounds = rowsOf(table).bounds();
    return time.ns >= bounds.t0 && time.ns < bounds.t1;
}

bool ReleasePopulation::endsInOnePiece(TableKind table, RowId row) const {
    if (rowsOf(table).endedWithProcess(row)) return true;
    const auto partials = rowsOf(table).partialsOf(row);
    return partials.empty() || partials.back().isFinal == 0;
}

std::uint64_t ReleasePopulation::spansOf(TableKind table) const {
    return (rowsOf(table).view().rows + AllocationTable::kSpanRows - 1) >> AllocationTable::kSpanShift;
}

std::uint64_t ReleasePopulation::pieces() const {
    return spansOf(TableKind::VirtualAlloc) + spansOf(TableKind::Heap) + 1;
}

unsigned ReleasePopulation::workers() const { return workersFor(pieces()); }

void ReleasePopulation::collect(std::uint64_t piece, std::vector<RowRef>& releases) const {
    const auto ofVirtualAlloc = spansOf(TableKind::VirtualAlloc);
    if (piece < ofVirtualAlloc) return collectSpan(TableKind::VirtualAlloc, piece, releases);
    piece -= ofVirtualAlloc;
    if (piece < spansOf(TableKind::Heap)) return collectSpan(TableKind::Heap, piece, releases);
    collectRest(TableKind::VirtualAlloc, releases);
    collectRest(TableKind::Heap, releases);
}

void ReleasePopulation::collectSpan(TableKind table, std::uint64_t span, std::vector<RowRef>& releases) const {
    const auto& rows = rowsOf(table);
    if (rows.spanIsOutside(span)) return;
    const auto first = span << AllocationTable::kSpanShift;
    const auto last = std::min(rows.view().rows, first + AllocationTable::kSpanRows);
    for (auto row = first; row < last; ++row) {
        if (!isInside(table, rows.end(static_cast<RowId>(row)))) continue;
        if (endsInOnePiece(table, static_cast<RowId>(row))) releases.push_back(pack(table, Kind::Final, row));
    }
}

void ReleasePopulation::collectRest(TableKind table, std::vector<RowRef>& releases) const {
    const auto& rows = rowsOf(table);
    const auto& partials = rows.partials();
    for (std::size_t i = 0; i < partials.size(); ++i) {
        // A part released after the row's process had ended (processExitFreesHeap) was already gone.
        const bool gone = rows.endedWithProcess(partials[i].row) && partials[i].time > rows.end(partials[i].row);
        const bool last = partials[i].isFinal != 0 && rows.endedWithProcess(partials[i].row);
        if (isInside(table, partials[i].time) && !gone && !last) releases.push_back(pack(table, Kind::Partial, i));
    }
    const auto& unmatched = rows.view().columns->unmatchedFrees;
    for (std::uint64_t i = 0; i < rows.view().unmatchedFrees; ++i) {
        if (isInside(table, unmatched[i].time)) releases.push_back(pack(table, Kind::Unmatched, i));
    }
}

bool ReleasePopulation::visitMembers(unsigned workers, const std::stop_token& stop, const Visit& visit) const {
    std::vector<std::vector<RowRef>> releases(workers);
    return forEachSpan(pieces(), workers, stop, [&](unsigned worker, std::uint64_t piece) {
        releases[worker].clear();
        collect(piece, releases[worker]);
        std::vector<Member> members;
        for (const auto release : releases[worker]) {
            const auto cell = cellOf(release);
            if (cell != kNoCell) members.push_back(Member{release, cell});
        }
        visit(worker, members);
    });
}

RowFacts ReleasePopulation::plainFacts(RowRef release) const {
    const auto table = static_cast<TableKind>((release >> kTableBit) & 1);
    const auto index = release & 0xFFFFFFFFu;
    switch (static_cast<Kind>((release >> kKindShift) & 3)) {
    case Kind::Final:
        return finalFacts(table, static_cast<RowId>(index));
    case Kind::Partial:
        return partialFacts(table, rowsOf(table).partials()[index]);
    case Kind::Unmatched:
        break;
    }
    return unmatchedFacts(table, rowsOf(table).view().columns->unmatchedFrees[index]);
}

RowFacts ReleasePopulation::finalFacts(TableKind table, RowId row) const {
    const auto& rows = rowsOf(table);
    const auto& columns = rows.view().columns->rows;
    RowFacts facts;
    facts.key.table = table;
    const bool byExit = rows.endedWithProcess(row);
    // The end of a process has no event with its own stack.
    if (!byExit) facts.key.endSite = columns.endSite(row).value;
    if (byExit || options_.byAllocSite) facts.key.site = columns.site(row).value;
    facts.key.freeType = static_cast<std::uint8_t>(rows.endKind(row));
    facts.end = rows.end(row);
    facts.begin = columns.beginTime(row);
    facts.address = columns.address(row);
    ByteCount released = 0;
    for (const auto& partial : rows.partialsOf(row)) {
        if (partial.isFinal == 0 && partial.time <= facts.end) released += partial.bytes;
    }
    facts.size = columns.size(row) - std::min(released, columns.size(row));
    facts.sums = Sums{.count = columns.objects(row), .size = facts.size, .freed = facts.size, .rows = 1};
    return facts;
}

RowFacts ReleasePopulation::partialFacts(TableKind table, const store::PartialRelease& partial) const {
    const auto& view = rowsOf(table).view();
    RowFacts facts;
    facts.key.table = table;
    facts.key.endSite = partial.endSite.value;
    if (options_.byAllocSite) facts.key.site = view.columns->rows.site(partial.row).value;
    facts.key.freeType = view.columns->endSites[partial.endSite].kind;
    facts.address = view.columns->rows.address(partial.row);
    facts.begin = view.begin(partial.row);
    facts.end = partial.time;
    facts.size = partial.bytes;
    facts.sums = Sums{.count = 1, .size = partial.bytes, .freed = partial.bytes, .rows = 1};
    return facts;
}

RowFacts ReleasePopulation::unmatchedFacts(TableKind table, const store::UnmatchedFree& release) const {
    RowFacts facts;
    facts.key.table = table;
    facts.key.endSite = release.endSite.value;
    facts.key.freeType = static_cast<std::uint8_t>(kUnmatchedFreeType);
    facts.address = release.address;
    facts.end = release.time;
    facts.size = release.bytes;
    facts.sums = Sums{.count = 1, .size = release.bytes, .freed = release.bytes, .rows = 1};
    return facts;
}

} // namespace highwater::analysis
