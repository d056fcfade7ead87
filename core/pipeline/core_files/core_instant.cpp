#include "core/pipeline/core_files/core_instant.h"

#include "core/references/mapping_search.h"

#include <algorithm>
#include <utility>

namespace highwater::pipeline {
namespace {

using references::AddressRange, references::Block;

/// How the agreement changes at that time.
struct Change {
    TraceTime time;
    std::int64_t by = 0;
};

template <typename Visit>
void eachRow(const store::PublishedTrace& trace, ProcessIndex process, Visit visit) {
    const auto& heap = trace.heap;
    for (RowId row = 0; row < heap.rows; ++row)
        if (trace.heapOf(heap.site(row)).process == process) visit(row);
}

/// A row is there after its begin, up to its end.
std::vector<Change> changesOf(const store::PublishedTrace& trace, ProcessIndex process, TraceTime last,
                              const BlocksInMemory& memory) {
    std::vector<Change> changes;
    eachRow(trace, process, [&](RowId row) {
        const auto begin = trace.heap.begin(row), end = trace.heap.end(row);
        if (begin >= last) return;
        const auto match = memory.find(trace.heap.columns->rows.address(row), trace.heap.size(row));
        if (match == BlocksInMemory::Match::Unknown) return;
        const std::int64_t by = match == BlocksInMemory::Match::Same ? 1 : -1;
        changes.push_back({begin == kBeforeTrace ? begin : TraceTime{begin.ns + 1}, by});
        if (end < last) changes.push_back({TraceTime{end.ns + 1}, -by});
    });
    std::ranges::sort(changes, {}, &Change::time);
    return changes;
}

TraceTime bestInstant(const std::vector<Change>& changes, TraceTime last) {
    auto best = last;
    std::int64_t sum = 0, most = 0;
    for (std::size_t i = 0; i < changes.size();) {
        const auto time = changes[i].time;
        for (; i < changes.size() && changes[i].time == time; ++i)
            sum += changes[i].by;
        if (sum < most) continue;
        most = sum;
        best = i == changes.size() ? last : TraceTime{changes[i].time.ns - 1};
    }
    return best;
}

} // namespace

BlocksInMemory::Match BlocksInMemory::find(Address address, ByteCount bytes) const {
    // A chunk is rounded up to 16 bytes, and larger by a rest that is too small for a chunk. One with a mapping of its
    // own is rounded up to pages.
    constexpr ByteCount kMostRest = 48, kMostRestOfPages = kResidentPageBytes + kMostRest;
    const auto heap = std::ranges::upper_bound(chunks_.heaps, address, {}, &AddressRange::end);
    const bool isInHeap = heap != chunks_.heaps.end() && heap->begin <= address;
    const auto block = std::ranges::lower_bound(chunks_.blocks, address, {}, &Block::address);
    if (block != chunks_.blocks.end() && block->address == address) {
        const auto most = isInHeap ? kMostRest : kMostRestOfPages;
        return bytes <= block->bytes && block->bytes - bytes < most ? Match::Same : Match::None;
    }
    if (isInHeap) return Match::None;
    const auto* const mapping = references::mappingAt(mappings_, address);
    const bool isMapped =
        mapping != nullptr && (mapping->flags & (mapping_flag::kRead | mapping_flag::kExecute)) == mapping_flag::kRead;
    return isMapped ? Match::Unknown : Match::None;
}

CoreBlocks blocksAtCore(const store::PublishedTrace& trace, ProcessIndex process, TraceTime last,
                        const BlocksInMemory& memory) {
    CoreBlocks found;
    found.time = bestInstant(changesOf(trace, process, last, memory), last);
    eachRow(trace, process, [&](RowId row) {
        if (trace.heap.begin(row) >= found.time || trace.heap.end(row) < found.time) return;
        const Block block{trace.heap.columns->rows.address(row), trace.heap.size(row)};
        const auto match = memory.find(block.address, block.bytes);
        if (match == BlocksInMemory::Match::None) {
            ++found.gone;
            found.goneBytes += block.bytes;
            return;
        }
        if (match == BlocksInMemory::Match::Same) ++found.checked;
        found.blocks.push_back(block);
    });
    return found;
}

} // namespace highwater::pipeline
