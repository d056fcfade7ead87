#include "core/analysis/leaks/heap_memory.h"

#include "core/store/published/page_owners.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

constexpr RowId kBetweenStops = 0xFFFF;

/// The functions that hand out blocks, or that extend a heap for one; without RtlCreateHeap.
const AllocatorFrames& heapFunctions() {
    static const AllocatorFrames frames("ntdll.dll!RtlAllocateHeap*\n"
                                        "ntdll.dll!RtlReAllocateHeap*\n"
                                        "ntdll.dll!RtlpAllocateHeap*\n"
                                        "ntdll.dll!RtlpReAllocateHeap*\n"
                                        "ntdll.dll!RtlpHpAlloc*\n" // the segment heap
                                        "ntdll.dll!RtlpHpReAlloc*\n"
                                        "ntdll.dll!RtlpLowFragHeap*\n"
                                        "ntdll.dll!RtlpExtendHeap*\n"
                                        "ntdll.dll!RtlpFindAndCommitPages*\n");
    return frames;
}

} // namespace

HeapMemory::HeapMemory(const store::PublishedTrace& trace, const FrameLabels& labels, const std::stop_token& stop)
    : trace_(trace), labels_(labels), hasBlocks_(trace.processes->processes().size()) {
    // Not by site: snapshots have sites of blocks that are in no row.
    for (RowId row = 0; row < trace.heap.rows; ++row) {
        if ((row & kBetweenStops) == 0 && stop.stop_requested()) return;
        const auto process = trace.heapOf(trace.heap.site(row)).process.value;
        if (process < hasBlocks_.size()) hasBlocks_[process] = 1;
    }
    if (trace.heapEvents > 0 && trace.heap.rows > 0) readPages(stop);
}

bool HeapMemory::hasBlocks(const store::Site& site) const {
    const auto process = trace_.heapOf(site).process.value;
    return process < hasBlocks_.size() && hasBlocks_[process] != 0;
}

std::uint64_t HeapMemory::keyOf(const store::Site& site) const {
    return std::uint64_t{trace_.heapOf(site).process.value} << 32 | site.stack.value;
}

void HeapMemory::readPages(const std::stop_token& stop) {
    const store::PageOwners owners(trace_);
    const auto& view = trace_.virtualAlloc;
    for (RowId row = 0; row < view.rows; ++row) {
        if ((row & kBetweenStops) == 0 && stop.stop_requested()) return;
        const auto& site = view.site(row);
        if (!hasBlocks(site)) continue;
        auto& bytes = bytes_[keyOf(site)];
        const auto size = view.size(row);
        const auto owner = owners.of(trace_.heapOf(site).process, view.columns->rows.address(row), size,
                                     view.begin(row), view.end(row));
        bytes.all += size;
        if (owner == store::PageOwner::Heap) bytes.inHeaps += size;
    }
}

bool HeapMemory::isHeapFunction(LabelId label) {
    const auto [entry, isNew] = heapFunction_.try_emplace(label.value, false);
    if (isNew) entry.value() = heapFunctions().matches(labels_.text(label));
    return entry->second;
}

bool HeapMemory::contains(SiteId number, std::span<const std::uint32_t> frames) {
    const auto& site = trace_.virtualAlloc.columns->sites[number];
    if (!hasBlocks(site)) return false;
    const auto known = bytes_.find(keyOf(site));
    if (known != bytes_.end() && known->second.inHeaps > known->second.all / 2) return true;
    return std::ranges::any_of(frames, [&](auto label) { return isHeapFunction(LabelId{label}); });
}

} // namespace highwater::analysis
