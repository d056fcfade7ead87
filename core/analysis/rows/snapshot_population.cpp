#include "core/analysis/rows/snapshot_population.h"

#include "core/analysis/rows/parallel_spans.h"
#include "core/base/counted.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace highwater::analysis {

using store::AllocationTable;

namespace {

constexpr unsigned kInstanceShift = 32;
/// In a key of Counts: the instance has its own blocks.
constexpr std::uint64_t kOwnBlocks = 0x8000;
static_assert(2 * kMostSnapshots < kOwnBlocks);

std::uint64_t pack(SiteId site, std::uint64_t first, std::uint64_t last) {
    return (std::uint64_t{site.value} << 32) | (first << 16) | last;
}

Error stopped() { return {ErrorKind::Cancelled, "The computation was cancelled."}; }

Error tooMany(std::uint64_t cells, std::size_t instances) {
    return {ErrorKind::Usage,
            fmt::format("{} in the interval {} {} groups of blocks by stack and thread, which exceeds the limit of {}. "
                        "Choose an interval with fewer snapshots, or compare two of them.",
                        counted(instances, "snapshot"), byNumber(instances, "has", "have"), thousands(cells),
                        thousands(SnapshotPopulation::kMostCells))};
}

/// All rows that are outstanding at one of these times, and few more.
IntervalRows::Options rowsAt(const std::vector<Instance>& instances, bool processExitFreesHeap) {
    IntervalRows::Options options;
    options.membership = Membership::Timeline;
    options.processExitFreesHeap = processExitFreesHeap;
    if (instances.empty()) return options;
    const auto [first, last] = std::ranges::minmax_element(instances, {}, &Instance::time);
    options.interval = {first->time, TraceTime{last->time.ns + 1}};
    return options;
}

} // namespace

SnapshotPopulation::SnapshotPopulation(const store::PublishedTrace& trace, std::vector<Instance> instances,
                                       bool processExitFreesHeap)
    : trace_(trace),
      instances_(std::move(instances)),
      rows_(trace, store::TableKind::Heap, rowsAt(instances_, processExitFreesHeap)) {
    for (std::uint32_t i = 0; i < instances_.size(); ++i)
        if (!instances_[i].hasOwnBlocks) ofRows_.push_back(i);
    std::ranges::stable_sort(ofRows_, {}, [&](std::uint32_t i) { return instances_[i].time; });
    for (const auto i : ofRows_)
        times_.push_back(instances_[i].time);
}

Result<std::unique_ptr<SnapshotPopulation>> SnapshotPopulation::make(const store::PublishedTrace& trace,
                                                                     std::vector<Instance> instances,
                                                                     bool processExitFreesHeap,
                                                                     const std::stop_token& stop) {
    std::unique_ptr<SnapshotPopulation> population(
        new SnapshotPopulation(trace, std::move(instances), processExitFreesHeap));
    // Every worker counts separately. Rows of one site that are outstanding at the same instances share one counter, so
    // the cost of a row does not depend on the number of its instances.
    const auto workers = population->workers();
    std::vector<Counts> counts(workers);
    const bool finished = forEachSpan(population->pieces(), workers, stop, [&](unsigned worker, std::uint64_t piece) {
        auto& own = counts[worker];
        population->forEachBlock(piece, [&](std::uint64_t, SiteId site, ByteCount size, Outstanding at, bool isOwn) {
            auto& counted = own[pack(site, at.first | (isOwn ? kOwnBlocks : 0), at.last)];
            ++counted.count;
            counted.bytes += size;
        });
    });
    if (!finished) return stopped();
    if (const auto cells = cellsOf(counts); cells > kMostCells) return tooMany(cells, population->instances_.size());
    for (const auto& own : counts) {
        if (stop.stop_requested()) return stopped();
        population->addCells(own);
    }
    return population;
}

/// A site is one cell per instance, regardless of the number of its counters and workers.
std::uint64_t SnapshotPopulation::cellsOf(const std::vector<Counts>& counts) {
    std::vector<std::uint64_t> ranges;
    for (const auto& own : counts) {
        for (const auto& [packed, counted] : own)
            ranges.push_back(packed);
    }
    std::sort(ranges.begin(), ranges.end());
    std::uint64_t cells = 0;
    std::uint64_t of = ~std::uint64_t{0}; // site, and whether the blocks are the instance's own
    std::uint64_t end = 0;                // end of the counted instances of the site
    for (const auto packed : ranges) {
        const auto last = packed & 0xFFFF;
        const auto first = packed >> 16 & (kOwnBlocks - 1);
        if (const auto site = packed >> 16 & ~(kOwnBlocks - 1); site != of) {
            of = site;
            end = 0;
        }
        if (last > std::max(first, end)) cells += last - std::max(first, end);
        end = std::max(end, last);
    }
    return cells;
}

std::uint64_t SnapshotPopulation::spans() const {
    if (ofRows_.empty()) return 0;
    return (rows_.view().rows + AllocationTable::kSpanRows - 1) >> AllocationTable::kSpanShift;
}

std::uint64_t SnapshotPopulation::pieces() const {
    if (ofRows_.size() == instances_.size()) return spans();
    return spans() + ((trace_.snapshotBlocks + AllocationTable::kSpanRows - 1) >> AllocationTable::kSpanShift);
}

unsigned SnapshotPopulation::workers() const { return workersFor(pieces()); }

/// Outstanding at T: started before T, and not ended before T.
SnapshotPopulation::Outstanding SnapshotPopulation::instancesAt(RowId row) const {
    const auto first = std::ranges::upper_bound(times_, rows_.view().begin(row)) - times_.begin();
    if (first == static_cast<std::ptrdiff_t>(times_.size())) return {};
    const auto end = rows_.end(row);
    if (end < times_[static_cast<std::size_t>(first)]) return {};
    const auto last = std::ranges::upper_bound(times_, end) - times_.begin();
    return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
}

SnapshotPopulation::Outstanding SnapshotPopulation::instanceOf(const store::SnapshotBlockRow& block) const {
    const auto found = std::ranges::lower_bound(instances_, block.snapshot, {}, &Instance::number);
    if (found == instances_.end() || found->number != block.snapshot || !found->hasOwnBlocks) return {};
    const auto number = static_cast<std::uint32_t>(found - instances_.begin());
    return {number, number + 1};
}

/// Calls take(row or block, site, size, instances, whether the instances have their own blocks).
template <typename Take>
void SnapshotPopulation::forEachBlock(std::uint64_t piece, Take take) const {
    if (piece < spans()) {
        if (rows_.spanIsOutside(piece)) return;
        const auto& view = rows_.view();
        const auto first = piece << AllocationTable::kSpanShift;
        const auto last = std::min(view.rows, first + AllocationTable::kSpanRows);
        for (auto i = first; i < last; ++i) {
            const auto row = static_cast<RowId>(i);
            const auto at = instancesAt(row);
            if (!at.isEmpty()) take(i, view.columns->rows.site(row), view.size(row), at, false);
        }
        return;
    }
    const auto first = (piece - spans()) << AllocationTable::kSpanShift;
    const auto last = std::min(trace_.snapshotBlocks, first + AllocationTable::kSpanRows);
    for (auto i = first; i < last; ++i) {
        const auto& block = trace_.columns->snapshotBlocks[i];
        const auto at = instanceOf(block);
        if (!at.isEmpty()) take(i, block.site, block.size, at, true);
    }
}

/// An instance of a single process has only the blocks of that process.
bool SnapshotPopulation::isOfInstance(const Instance& instance, SiteId site) const {
    if (instance.pid == kAllProcesses || instance.hasOwnBlocks) return true;
    const auto process = trace_.heapOf(trace_.heap.columns->sites[site]).process;
    return (*trace_.processes)[process].pid == instance.pid;
}

CellKey SnapshotPopulation::keyOf(const Instance& instance, SiteId site) const {
    CellKey key;
    key.site = site.value;
    key.table = store::TableKind::Heap;
    key.isRealloc = trace_.heap.columns->sites[site].isRealloc;
    key.instance = instance.number;
    return key;
}

void SnapshotPopulation::addCells(const Counts& counts) {
    for (const auto& [packed, counted] : counts) {
        const SiteId site{static_cast<std::uint32_t>(packed >> 32)};
        const auto first = static_cast<std::uint32_t>(packed >> 16 & 0xFFFF);
        const bool isOwn = (first & kOwnBlocks) != 0;
        const auto last = static_cast<std::uint32_t>(packed & 0xFFFF);
        for (auto i = first & ~static_cast<std::uint32_t>(kOwnBlocks); i < last; ++i) {
            const auto& instance = instances_[isOwn ? i : ofRows_[i]];
            if (!isOfInstance(instance, site)) continue;
            const Sums sums{
                .count = counted.count, .size = counted.bytes, .opening = counted.bytes, .rows = counted.count};
            cells_[index_.cellOf(keyOf(instance, site), cells_)].sums += sums;
        }
    }
}

bool SnapshotPopulation::visitMembers(unsigned workers, const std::stop_token& stop, const Visit& visit) const {
    return forEachSpan(pieces(), workers, stop, [&](unsigned worker, std::uint64_t piece) {
        std::vector<Member> members;
        forEachBlock(piece, [&](std::uint64_t row, SiteId, ByteCount, Outstanding at, bool isOwn) {
            for (auto i = at.first; i < at.last; ++i) {
                const auto block = (RowRef{isOwn ? i : ofRows_[i]} << kInstanceShift) | row;
                const auto cell = cellOf(block);
                if (cell != kNoCell) members.push_back(Member{block, cell});
            }
        });
        visit(worker, members);
    });
}

RowFacts SnapshotPopulation::plainFacts(RowRef ref) const {
    const auto& instance = instances_[ref >> kInstanceShift];
    const auto number = ref & 0xFFFFFFFFu;
    RowFacts facts;
    if (instance.hasOwnBlocks) {
        const auto& block = trace_.columns->snapshotBlocks[number];
        facts.key = keyOf(instance, block.site);
        facts.address = block.address;
        facts.size = block.size;
    } else {
        const auto row = static_cast<RowId>(number);
        const auto& view = rows_.view();
        facts.key = keyOf(instance, view.columns->rows.site(row));
        facts.address = view.columns->rows.address(row);
        facts.begin = view.begin(row);
        facts.end = rows_.end(row);
        facts.size = view.size(row);
    }
    facts.sums = Sums{.count = 1, .size = facts.size, .opening = facts.size, .rows = 1};
    return facts;
}

} // namespace highwater::analysis
