#include "core/store/matching/heap_tally.h"

#include <algorithm>

namespace highwater::store {

namespace {

/// A block without a row counts as missing, so threads without a number use the highest valid number.
RowId makerOf(ThreadId thread) { return std::min(thread.value, BlockMap::kNoRow - 1); }

} // namespace

HeapTally::Heap& HeapTally::heapOfSlow(ProcessIndex process, Address handle) {
    auto& heap = heaps_[HeapKey{handle, process.value}];
    if (heap == nullptr) {
        heap = std::make_unique<Heap>();
        heap->process = process;
        heap->handle = handle;
        if (process.value >= levels_.size()) {
            levels_.resize(process.value + std::size_t{1});
            handles_.resize(process.value + std::size_t{1});
        }
        handles_[process.value].push_back(handle);
    }
    recent_[(handle >> 16) % recent_.size()] = heap.get();
    return *heap;
}

void HeapTally::applyNext() {
    const auto& [event, process] = slots_[applied_ % kSlots];
    ++applied_;
    if (echoes_.takes(event)) return;
    auto& heap = heapOf(process, event.heap);
    switch (event.operation) {
    case MemoryOperation::HeapAlloc:
        if (event.address != 0) begin(heap, event);
        return;
    case MemoryOperation::HeapFree:
        return free(heap, event);
    case MemoryOperation::HeapReAlloc:
        return realloc(heap, event);
    case MemoryOperation::HeapCreate:
        heap.seen = true;
        return;
    case MemoryOperation::HeapDestroy:
        return destroy(heap);
    default:
        return;
    }
}

/// Sums wrap around, as they do where rows are kept.
void HeapTally::add(Heap& heap, ByteCount bytes) {
    heap.bytes += bytes;
    auto& level = levels_[heap.process.value];
    level.now += bytes;
    level.most = std::max(level.most, static_cast<SignedByteCount>(level.now));
    outstanding_ += bytes;
}

ByteCount HeapTally::sizeOf(const Heap& heap, const BlockMap::Block& block) {
    if (block.size != kWide) return block.size;
    const auto wide = heap.wide.find(block.address);
    return wide == heap.wide.end() ? kWide : wide->second;
}

void HeapTally::begin(Heap& heap, const MemoryEvent& event) {
    heap.seen = true;
    auto* block = heap.blocks.findOrAdd(event.address);
    if (block == nullptr) return health_.countBytes(Loss::RowsDropped, event.size);
    if (block->row != BlockMap::kNoRow) [[unlikely]] {
        const auto lost = sizeOf(heap, *block);
        health_.countBytes(Loss::FreesLost, lost);
        add(heap, ByteCount{0} - lost);
        if (block->size == kWide) heap.wide.erase(event.address);
    }
    block->row = makerOf(event.tid);
    block->size = static_cast<std::uint32_t>(std::min<ByteCount>(event.size, kWide));
    if (block->size == kWide) heap.wide[event.address] = event.size;
    add(heap, event.size);
    ++allocations_;
}

/// False if the block is not outstanding.
bool HeapTally::end(Heap& heap, Address address) {
    const auto block = heap.blocks.take(address);
    if (block.row == BlockMap::kNoRow) return false;
    add(heap, ByteCount{0} - sizeOf(heap, block));
    if (block.size == kWide) heap.wide.erase(address);
    return true;
}

void HeapTally::free(Heap& heap, const MemoryEvent& event) {
    if (event.address == 0) return;
    echoes_.noteFree(event);
    if (!end(heap, event.address)) health_.count(Loss::UnmatchedFrees);
}

/// Whether the new block of this realloc was logged as an Alloc before it.
bool HeapTally::isLogged(const Heap& heap, const BlockMap::Block& block, const MemoryEvent& realloc) {
    return sizeOf(heap, block) == realloc.size && block.row == makerOf(realloc.tid);
}

void HeapTally::realloc(Heap& heap, const MemoryEvent& event) {
    if (event.address == 0) return;
    const bool inPlace = event.address == event.oldAddress;
    const auto* there = inPlace ? nullptr : heap.blocks.find(event.address);
    const bool isMade = there != nullptr && isLogged(heap, *there, event);
    const bool isEnded = event.oldAddress != 0 && end(heap, event.oldAddress);
    const bool isFreed = !isEnded && echoes_.takesRecentFree(event);
    if (!isEnded && !isFreed) health_.count(Loss::ReallocsOfUnknown);
    if (isMade) {
        if (!isFreed) echoes_.expect(event, ReallocEchoes::Wanted::Free);
        return;
    }
    begin(heap, event);
    if (!inPlace) echoes_.expect(event, isFreed ? ReallocEchoes::Wanted::Alloc : ReallocEchoes::Wanted::AllocAndFree);
}

void HeapTally::destroy(Heap& heap) {
    if (!heap.seen) health_.count(Loss::HeapsUnknown);
    heap.seen = false;
    dropAll(heap);
}

void HeapTally::dropAll(Heap& heap) {
    if (heap.blocks.isEmpty()) return;
    add(heap, ByteCount{0} - heap.bytes);
    heap.blocks = BlockMap(kFullOfFive);
    heap.wide.clear();
}

void HeapTally::endSpace(ProcessIndex process) {
    flush();
    if (process.value >= handles_.size()) return;
    recent_.fill(nullptr);
    for (const auto handle : handles_[process.value]) {
        const auto heap = heaps_.find(HeapKey{handle, process.value});
        dropAll(*heap.value());
        heaps_.erase(heap);
    }
    handles_[process.value].clear();
}

} // namespace highwater::store
