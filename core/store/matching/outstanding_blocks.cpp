#include "core/store/matching/outstanding_blocks.h"

#include "core/store/published/event_sites.h"

#include <algorithm>

namespace highwater::store {

void OutstandingBlocks::apply(const MemoryEvent& event, ProcessIndex process, StackId stack) {
    if (echoes_.takes(event)) return;
    auto& heap = heapOf(process, event.heap);
    switch (event.operation) {
    case MemoryOperation::HeapAlloc:
        return alloc(heap, event, stack);
    case MemoryOperation::HeapFree:
        return free(heap, event, stack);
    case MemoryOperation::HeapReAlloc:
        return realloc(heap, event, stack);
    // Not before its first allocations because those of the creation itself are logged first.
    case MemoryOperation::HeapCreate:
        heap.seen = true;
        return;
    case MemoryOperation::HeapDestroy:
        return destroy(heap, event, stack);
    default:
        return;
    }
}

void OutstandingBlocks::prefetchRow(const MemoryEvent& event, ProcessIndex process, StackId stack) {
    auto& heap = heapOf(process, event.heap);
    auto& table = columns_->heap;
    if (event.operation == MemoryOperation::HeapAlloc) return table.sites.prefetch(beginSite(event, stack, heap.id));
    table.endSites.prefetch(endSite(event, stack, heap.id, EndKind::Free));
    if (const auto* block = heap.blocks.find(event.address)) table.rows.prefetchEnd(block->row);
}

OutstandingBlocks::HeapBlocks& OutstandingBlocks::heapOfSlow(ProcessIndex process, Address handle) {
    auto& heap = heapsByKey_[HeapKey{handle, process.value}];
    if (heap == nullptr) {
        heaps_.push_back(std::make_unique<HeapBlocks>());
        heap = heaps_.back().get();
        heap->process = process;
        heap->handle = handle;
        const HeapId id{static_cast<std::uint32_t>(columns_->heaps.size())};
        if (columns_->heaps.append(Heap{process, 0, handle})) heap->id = id;
    }
    if (!heap->listed) {
        if (process.value >= heapsInUse_.size()) heapsInUse_.resize(process.value + std::size_t{1});
        heapsInUse_[process.value].push_back(heap);
        heap->listed = true;
    }
    recentHeaps_[(handle >> 16) % recentHeaps_.size()] = heap;
    return *heap;
}

/// Adds the event's block. If there already was a block at the address, its free was lost.
void OutstandingBlocks::beginRow(HeapBlocks& heap, const MemoryEvent& event, SiteId site) {
    heap.seen = true;
    auto* block = heap.blocks.findOrAdd(event.address);
    auto& table = columns_->heap;
    if (block != nullptr && block->row != BlockMap::kNoRow) [[unlikely]] {
        health_.countBytes(Loss::FreesLost, table.rows.size(block->row));
        endRow(*block, event.time, internSilentEndSite(table.endSites, heap.id, EndKind::FreeLost));
    }
    RowId row = 0;
    if (block != nullptr && table.rows.begin(event.time, event.address, event.size, site, row)) [[likely]] {
        block->row = row;
        block->size = static_cast<std::uint32_t>(std::min<ByteCount>(event.size, AllocationTable::kWide));
        const bool isSum = event.operation == MemoryOperation::HeapAlloc && event.oldSize != 0;
        if (isSum && !table.rows.setObjects(row, event.oldSize + 1)) health_.count(Loss::RowsDropped);
    } else {
        health_.countBytes(Loss::RowsDropped, event.size);
        if (block != nullptr) (void)heap.blocks.take(event.address);
        row = NewestRows::kNone;
    }
    // Events between a row that was carried over and its free may have been discarded.
    newest_.set(event.tid, event.time < columns_->retainedFrom ? NewestRows::kNone : row);
}

void OutstandingBlocks::endRow(const BlockMap::Block& block, TraceTime time, SiteId endSite) {
    auto& rows = columns_->heap.rows;
    rows.end(block.row, time, endSite, block.size != AllocationTable::kWide ? block.size : rows.size(block.row));
}

/// Call once for each free because it records the free as the thread's last operation.
bool OutstandingBlocks::isTemporary(const BlockMap::Block& block, const MemoryEvent& free) {
    const auto newest = newest_.take(free.tid);
    if (newest == NewestRows::kNone || newest != block.row) return false;
    const auto& table = columns_->heap;
    return table.sites[table.rows.site(newest)].threadLife == free.threadLife;
}

void OutstandingBlocks::alloc(HeapBlocks& heap, const MemoryEvent& event, StackId stack) {
    if (event.address == 0) return;
    beginRow(heap, event, columns_->heap.sites.intern(beginSite(event, stack, heap.id)));
}

void OutstandingBlocks::free(HeapBlocks& heap, const MemoryEvent& event, StackId stack) {
    if (event.address == 0) return;
    echoes_.noteFree(event);
    const auto block = heap.blocks.take(event.address);
    auto end = endSite(event, stack, heap.id, EndKind::Free);
    end.isTemporary = isTemporary(block, event);
    const auto site = columns_->heap.endSites.intern(end);
    if (block.row != BlockMap::kNoRow) [[likely]]
        return endRow(block, event.time, site);
    health_.count(Loss::UnmatchedFrees);
    (void)columns_->heap.unmatchedFrees.append(UnmatchedFree{event.time, event.address, 0, site, 0});
}

/// Whether the new block of this realloc was logged as an Alloc before it.
bool OutstandingBlocks::isLogged(const BlockMap::Block& block, const MemoryEvent& realloc) const {
    const auto& table = columns_->heap;
    return table.rows.size(block.row) == realloc.size && table.sites[table.rows.site(block.row)].thread == realloc.tid;
}

/// Ends the old block of a realloc. False if it is not outstanding.
bool OutstandingBlocks::endOldBlock(HeapBlocks& heap, const MemoryEvent& event, StackId stack) {
    if (event.oldAddress == 0) return false;
    const auto block = heap.blocks.take(event.oldAddress);
    if (block.row == BlockMap::kNoRow) return false;
    auto end = endSite(event, stack, heap.id, EndKind::ReAlloc);
    end.isTemporary = isTemporary(block, event);
    endRow(block, event.time, columns_->heap.endSites.intern(end));
    return true;
}

void OutstandingBlocks::realloc(HeapBlocks& heap, const MemoryEvent& event, StackId stack) {
    if (event.address == 0) return;
    const bool inPlace = event.address == event.oldAddress;
    if (!inPlace) {
        const auto* logged = heap.blocks.find(event.address);
        if (logged != nullptr && isLogged(*logged, event)) return reallocOfLogged(heap, event, stack, logged->row);
    }
    auto wanted = ReallocEchoes::Wanted::AllocAndFree;
    if (!endOldBlock(heap, event, stack)) {
        if (echoes_.takesRecentFree(event)) {
            wanted = ReallocEchoes::Wanted::Alloc;
        } else {
            health_.count(Loss::ReallocsOfUnknown);
        }
    }
    beginRow(heap, event, columns_->heap.sites.intern(beginSite(event, stack, heap.id, MadeBy::Realloc)));
    if (!inPlace) echoes_.expect(event, wanted);
}

/// The new block already exists because its Alloc was an echo that came before the realloc.
void OutstandingBlocks::reallocOfLogged(HeapBlocks& heap, const MemoryEvent& event, StackId stack, RowId newRow) {
    columns_->heap.rows.markRealloc(newRow);
    const bool isEnded = endOldBlock(heap, event, stack);
    newest_.set(event.tid, newRow);
    if (!isEnded) {
        if (echoes_.takesRecentFree(event)) return;
        health_.count(Loss::ReallocsOfUnknown);
    }
    echoes_.expect(event, ReallocEchoes::Wanted::Free);
}

void OutstandingBlocks::destroy(HeapBlocks& heap, const MemoryEvent& event, StackId stack) {
    if (!heap.seen) health_.count(Loss::HeapsUnknown);
    heap.seen = false;
    newest_.set(event.tid, NewestRows::kNone);
    if (heap.blocks.isEmpty()) return;
    endAll(heap, event.time, columns_->heap.endSites.intern(endSite(event, stack, heap.id, EndKind::HeapDestroy)));
}

/// In row order: adjacent in memory, and the order of events does not depend on the look-up table.
void OutstandingBlocks::endAll(HeapBlocks& heap, TraceTime time, SiteId endSite) {
    auto rows = heap.blocks.rows();
    std::sort(rows.begin(), rows.end());
    for (const auto row : rows)
        columns_->heap.rows.end(row, time, endSite);
    heap.blocks = BlockMap();
}

void OutstandingBlocks::endSpace(ProcessIndex process, TraceTime time) {
    if (process.value >= heapsInUse_.size()) return;
    recentHeaps_.fill(nullptr); // a heap that is asked for again must be listed again
    for (auto* heap : heapsInUse_[process.value]) {
        heap->listed = heap->seen = false;
        if (heap->blocks.isEmpty()) continue;
        endAll(*heap, time, internSilentEndSite(columns_->heap.endSites, heap->id, EndKind::Exec));
    }
    heapsInUse_[process.value].clear();
}

void OutstandingBlocks::moveTo(TraceColumns& columns, const RowNumbers& numbers) {
    columns_ = &columns;
    newest_.renumber(numbers);
    for (const auto& heap : heaps_)
        heap->blocks.renumber(numbers);
}

std::uint64_t OutstandingBlocks::bytesReserved() const {
    std::uint64_t bytes = 0;
    for (const auto& heap : heaps_)
        bytes += heap->blocks.bytesReserved();
    return bytes;
}

} // namespace highwater::store
