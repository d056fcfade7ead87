#include "core/store/outstanding_blocks.h"

#include "core/store/event_sites.h"

#include <algorithm>

namespace highwater::store {

void OutstandingBlocks::apply(const MemoryEvent& event, StackRoot root) {
    if (echoes_.takes(event)) return;
    auto& heap = heapOf(root.process, event.heap);
    // Not a switch for these two: which of them comes is hard to guess, and a jump table would guess once more.
    if (event.operation == MemoryOperation::HeapAlloc) return alloc(heap, event, root);
    if (event.operation == MemoryOperation::HeapFree) return free(heap, event, root);
    if (event.operation == MemoryOperation::HeapReAlloc) return realloc(heap, event, root);
    if (event.operation == MemoryOperation::HeapDestroy) return destroy(heap, event, root);
    // HeapCreate ends no block that is there: those of the creation itself are logged before it.
    heap.seen = true;
}

OutstandingBlocks::HeapBlocks& OutstandingBlocks::heapOfSlow(ProcessIndex process, Address handle) {
    auto& heap = heapsByKey_[HeapKey{handle, process.value}];
    if (heap == nullptr) {
        heaps_.push_back(std::make_unique<HeapBlocks>());
        heap = heaps_.back().get();
        heap->process = process;
        heap->handle = handle;
        const HeapId id{static_cast<std::uint32_t>(columns_.heaps.size())};
        if (columns_.heaps.append(Heap{process, 0, handle})) heap->id = id;
    }
    recentHeaps_[(handle >> 16) % recentHeaps_.size()] = heap;
    return *heap;
}

void OutstandingBlocks::put(const Step& step) {
    step.heap->blocks.prefetch(step.address);
    auto& slot = steps_[oldest_];
    oldest_ = (oldest_ + 1) % kAhead;
    if (slot.heap != nullptr) [[likely]]
        carryOut(slot);
    slot = step;
}

void OutstandingBlocks::catchUp() {
    for (std::size_t i = 0; i < kAhead; ++i) {
        auto& slot = steps_[(oldest_ + i) % kAhead];
        if (slot.heap != nullptr) carryOut(slot);
        slot.heap = nullptr;
    }
}

void OutstandingBlocks::carryOut(const Step& step) {
    if (step.begins) {
        beginRow(step);
    } else {
        freeBlock(step);
    }
}

/// Puts the block on the books; a block that was there already has lost its free.
void OutstandingBlocks::beginRow(const Step& step) {
    auto& heap = *step.heap;
    heap.seen = true;
    auto* block = heap.blocks.findOrAdd(step.address);
    auto& table = columns_.heap;
    if (block != nullptr && block->row != BlockMap::kNoRow) [[unlikely]] {
        health_.count(Loss::FreesLost);
        endRow(*block, step.time, internSilentEndSite(table.endSites, heap.id, EndKind::FreeLost));
    }
    RowId row = 0;
    if (block != nullptr && table.rows.begin(step.time, step.address, step.size, step.site, row)) [[likely]] {
        block->row = row;
        block->size = static_cast<std::uint32_t>(std::min<ByteCount>(step.size, AllocationTable::kWide));
    } else {
        health_.count(Loss::RowsDropped);
        if (block != nullptr) (void)heap.blocks.take(step.address);
    }
}

void OutstandingBlocks::freeBlock(const Step& step) {
    if (const auto block = step.heap->blocks.take(step.address); block.row != BlockMap::kNoRow) [[likely]] {
        return endRow(block, step.time, step.site);
    }
    health_.count(Loss::UnmatchedFrees);
    (void)columns_.heap.unmatchedFrees.append(UnmatchedFree{step.time, step.address, 0, step.site, 0});
}

void OutstandingBlocks::endRow(const BlockMap::Block& block, TraceTime time, SiteId endSite) {
    auto& rows = columns_.heap.rows;
    rows.end(block.row, time, endSite, block.size != AllocationTable::kWide ? block.size : rows.size(block.row));
}

void OutstandingBlocks::alloc(HeapBlocks& heap, const MemoryEvent& event, StackRoot root) {
    if (event.address == 0) return;
    const auto stack = internStack(columns_.stacks, root, event.stack);
    const auto site = internBeginSite(columns_.heap.sites, event, stack, heap.id);
    put({&heap, event.time, event.address, event.size, site, true});
}

void OutstandingBlocks::free(HeapBlocks& heap, const MemoryEvent& event, StackRoot root) {
    if (event.address == 0) return;
    echoes_.noteFree(event);
    const auto stack = internStack(columns_.stacks, root, event.stack);
    const auto site = internEndSite(columns_.heap.endSites, event, stack, heap.id, EndKind::Free);
    put({&heap, event.time, event.address, 0, site, false});
}

/// Whether the new block of this realloc was logged as an Alloc before it.
bool OutstandingBlocks::isLogged(const BlockMap::Block& block, const MemoryEvent& realloc) const {
    const auto& table = columns_.heap;
    return table.rows.size(block.row) == realloc.size && table.sites[table.rows.site(block.row)].thread == realloc.tid;
}

/// Ends the old block of a realloc. False: it is not outstanding.
bool OutstandingBlocks::endOldBlock(HeapBlocks& heap, const MemoryEvent& event, StackId stack) {
    if (event.oldAddress == 0) return false;
    const auto block = heap.blocks.take(event.oldAddress);
    if (block.row == BlockMap::kNoRow) return false;
    endRow(block, event.time, internEndSite(columns_.heap.endSites, event, stack, heap.id, EndKind::ReAlloc));
    return true;
}

void OutstandingBlocks::realloc(HeapBlocks& heap, const MemoryEvent& event, StackRoot root) {
    if (event.address == 0) return;
    catchUp();
    const bool inPlace = event.address == event.oldAddress;
    if (!inPlace) {
        const auto* logged = heap.blocks.find(event.address);
        if (logged != nullptr && isLogged(*logged, event)) return reallocOfLogged(heap, event, root, logged->row);
    }
    const auto stack = internStack(columns_.stacks, root, event.stack);
    auto wanted = ReallocEchoes::Wanted::AllocAndFree;
    if (!endOldBlock(heap, event, stack)) {
        if (echoes_.takesRecentFree(event)) {
            wanted = ReallocEchoes::Wanted::Alloc;
        } else {
            health_.count(Loss::ReallocsOfUnknown);
        }
    }
    const auto site = internBeginSite(columns_.heap.sites, event, stack, heap.id, MadeBy::Realloc);
    beginRow({&heap, event.time, event.address, event.size, site, true});
    if (!inPlace) echoes_.expect(event, wanted);
}

/// The new block is there already: its Alloc was an echo that came before the realloc.
void OutstandingBlocks::reallocOfLogged(HeapBlocks& heap, const MemoryEvent& event, StackRoot root, RowId newRow) {
    columns_.heap.rows.markRealloc(newRow);
    const auto stack = internStack(columns_.stacks, root, event.stack);
    if (!endOldBlock(heap, event, stack)) {
        if (echoes_.takesRecentFree(event)) return;
        health_.count(Loss::ReallocsOfUnknown);
    }
    echoes_.expect(event, ReallocEchoes::Wanted::Free);
}

void OutstandingBlocks::destroy(HeapBlocks& heap, const MemoryEvent& event, StackRoot root) {
    catchUp();
    if (!heap.seen) health_.count(Loss::HeapsUnknown);
    heap.seen = false;
    if (heap.blocks.isEmpty()) return;
    const auto stack = internStack(columns_.stacks, root, event.stack);
    const auto site = internEndSite(columns_.heap.endSites, event, stack, heap.id, EndKind::HeapDestroy);
    // In row order: neighbours in memory, and the same order of events wherever the look-up table put them.
    auto rows = heap.blocks.rows();
    std::sort(rows.begin(), rows.end());
    for (const auto row : rows)
        columns_.heap.rows.end(row, event.time, site);
    heap.blocks = BlockMap();
}

std::uint64_t OutstandingBlocks::bytesReserved() const {
    std::uint64_t bytes = 0;
    for (const auto& heap : heaps_)
        bytes += heap->blocks.bytesReserved();
    return bytes;
}

} // namespace highwater::store
