#include "core/store/matching/committed_pages.h"

#include "core/store/published/event_sites.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace highwater::store {
namespace {

bool has(const MemoryEvent& event, std::uint32_t flag) { return (event.flags & flag) != 0; }

} // namespace

void CommittedPages::apply(const MemoryEvent& event, ProcessIndex process, StackId stack) {
    auto& space = spaceOf(process);
    switch (event.operation) {
    case MemoryOperation::VirtualAlloc:
        return allocate(space, event, stack);
    case MemoryOperation::VirtualFree:
        if (has(event, virtual_flag::kRelease)) return release(space, event, stack);
        if (has(event, virtual_flag::kDecommit)) return decommit(space, event, stack);
        return;
    case MemoryOperation::VirtualRundownStart:
    case MemoryOperation::VirtualRundownEnd:
        return rundown(space, event);
    default:
        return;
    }
}

CommittedPages::AddressSpace& CommittedPages::spaceOf(ProcessIndex process) {
    if (process.value >= spaces_.size()) spaces_.resize(process.value + 1);
    auto& space = spaces_[process.value];
    if (!space) {
        space = std::make_unique<AddressSpace>();
        const HeapId heap{static_cast<std::uint32_t>(columns_->heaps.size())};
        if (columns_->heaps.append(Heap{process, 0, 0})) space->heap = heap;
    }
    return *space;
}

void CommittedPages::allocate(AddressSpace& space, const MemoryEvent& event, StackId stack) {
    const auto range = pagesOf(event.address, event.size);
    if (range.isEmpty() || has(event, virtual_flag::kReset)) return;
    if (has(event, virtual_flag::kReserve)) space.map.reserve(range);
    if (!has(event, virtual_flag::kCommit)) return;
    gaps_.clear();
    space.map.findGaps(range, gaps_);
    if (gaps_.empty()) return;
    addRow(space, event.time, event.address, columns_->virtualAlloc.sites.intern(beginSite(event, stack, space.heap)));
}

/// The event reports how many bytes of the region are committed but not which ones. Uses the first pages of unknown
/// state.
void CommittedPages::rundown(AddressSpace& space, const MemoryEvent& event) {
    const auto region = pagesOf(event.address, event.size);
    if (region.isEmpty()) return;
    space.map.reserveBefore(region);
    const bool hasCommittedSize = event.oldSize > 0 && event.oldSize <= event.size;
    const auto committed = hasCommittedSize ? pagesOf(event.address, event.oldSize).pages() : region.pages();
    const auto known = space.map.mappedPages(region);
    if (known >= committed) return;
    gaps_.clear();
    space.map.findGaps(region, gaps_, committed - known);
    Site site;
    site.heap = space.heap;
    addRow(space, kBeforeTrace, event.address, columns_->virtualAlloc.sites.intern(site));
}

/// Adds one row for all pages in gaps_.
void CommittedPages::addRow(AddressSpace& space, TraceTime time, Address address, SiteId site) {
    std::uint64_t pages = 0;
    for (const auto& gap : gaps_)
        pages += gap.pages();
    RowId row = 0;
    if (!columns_->virtualAlloc.rows.begin(time, address, pages << kPageShift, site, row)) {
        health_.countBytes(Loss::RowsDropped, pages << kPageShift);
        return;
    }
    for (const auto& gap : gaps_)
        space.map.map(gap, row);
    pagesLeft_[row] = pages;
}

/// The reservation at the base, for events with size 0. If unknown, the largest range that can belong to it; this is
/// counted.
std::optional<PageRange> CommittedPages::regionAt(AddressSpace& space, Address base) {
    const auto page = base >> kPageShift;
    if (const auto reservation = space.map.reservationAt(page)) return reservation;
    health_.count(Loss::ReservationsUnknown);
    const auto run = space.map.runFrom(page);
    if (run.isEmpty()) return std::nullopt;
    return run;
}

void CommittedPages::decommit(AddressSpace& space, const MemoryEvent& event, StackId stack) {
    const auto range = event.size == 0 ? regionAt(space, event.address) : pagesOf(event.address, event.size);
    if (!range) return;
    const auto site = columns_->virtualAlloc.endSites.intern(endSite(event, stack, space.heap, EndKind::Decommit));
    if (const auto unknown = space.map.unknownPages(*range); unknown > 0) {
        health_.count(Loss::DecommitsOfUnknown);
        (void)columns_->virtualAlloc.unmatchedFrees.append(
            UnmatchedFree{event.time, event.address, unknown << kPageShift, site, 0});
    }
    free(space, *range, event, site);
}

void CommittedPages::release(AddressSpace& space, const MemoryEvent& event, StackId stack) {
    const auto range = event.size == 0 ? regionAt(space, event.address) : pagesOf(event.address, event.size);
    if (!range) return;
    if (space.map.mappedPages(*range) == 0) {
        // Either only reserved, or older than the trace with unknown committed pages.
        if (!space.map.isReservedAnywhere(*range)) health_.count(Loss::ReservationsUnknown);
    } else {
        free(space, *range, event,
             columns_->virtualAlloc.endSites.intern(endSite(event, stack, space.heap, EndKind::Release)));
    }
    space.map.unreserve(*range);
}

void CommittedPages::free(AddressSpace& space, PageRange range, const MemoryEvent& event, SiteId endSite) {
    unmapped_.clear();
    space.map.unmap(range, unmapped_);
    endUnmapped(event.time, endSite);
}

/// Ends or partly releases the rows that lost the pages in unmapped_, each once regardless of the number of pieces.
void CommittedPages::endUnmapped(TraceTime time, SiteId endSite) {
    auto& rows = columns_->virtualAlloc.rows;
    std::sort(unmapped_.begin(), unmapped_.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
    for (auto it = unmapped_.begin(); it != unmapped_.end();) {
        const auto row = it->row;
        std::uint64_t pages = 0;
        for (; it != unmapped_.end() && it->row == row; ++it)
            pages += it->pages;
        const auto left = pagesLeft_.find(row);
        const bool isFinal = left->second == pages;
        if (isFinal && pages << kPageShift == rows.size(row)) {
            rows.end(row, time, endSite);
        } else {
            rows.release(row, time, pages << kPageShift, endSite, isFinal);
        }
        if (isFinal) {
            pagesLeft_.erase(left);
        } else {
            left.value() -= pages;
        }
    }
}

void CommittedPages::endSpace(ProcessIndex process, TraceTime time, EndKind kind) {
    if (process.value >= spaces_.size() || !spaces_[process.value]) return;
    auto& space = *spaces_[process.value];
    unmapped_.clear();
    space.map.unmap({0, std::numeric_limits<std::uint64_t>::max()}, unmapped_);
    space.map = PageMap();
    if (unmapped_.empty()) return;
    endUnmapped(time, internSilentEndSite(columns_->virtualAlloc.endSites, space.heap, kind));
}

PagesAt CommittedPages::pagesAt(TraceTime time) const {
    PagesAt all{.time = time, .commits = {}, .reservations = {}};
    const auto& rows = columns_->virtualAlloc.rows;
    for (const auto& space : spaces_) {
        if (!space) continue;
        space->map.forEachPiece([&](PageRange pages, RowId row) {
            all.commits.push_back({rows.beginTime(row), rows.site(row), pages, row});
        });
        space->map.forEachReservation([&](PageRange pages) { all.reservations.push_back({space->heap, pages}); });
    }
    std::stable_sort(all.commits.begin(), all.commits.end(),
                     [](const auto& a, const auto& b) { return a.begin < b.begin; });
    return all;
}

void CommittedPages::moveTo(TraceColumns& columns, const RowNumbers& numbers) {
    columns_ = &columns;
    for (const auto& space : spaces_) {
        if (space) space->map.renumber(numbers);
    }
    const auto before = std::exchange(pagesLeft_, {});
    for (const auto& [row, pages] : before)
        pagesLeft_[numbers.of(row)] = pages;
}

} // namespace highwater::store
