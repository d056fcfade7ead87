#pragma once

#include "core/base/seeded_hash.h"
#include "core/event/memory_events.h"
#include "core/event/trace_health.h"
#include "core/store/matching/block_map.h"
#include "core/store/matching/newest_rows.h"
#include "core/store/matching/realloc_echoes.h"
#include "core/store/published/published_trace.h"

#include <tsl/robin_map.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace highwater::store {

/// Pairs heap allocations with frees. Finds outstanding blocks by process instance, heap and address, and their rows.
///   Alloc     a new row; at an outstanding address, the old row ends first as "free lost" (Loss::FreesLost)
///   Free      ends the row; for an unknown block: Loss::UnmatchedFrees, listed but never subtracted
///   ReAlloc   ends the old row and begins a new one that is marked as realloc; drops its echoes (ReallocEchoes);
///             for an unknown old block: Loss::ReallocsOfUnknown; new address 0: it failed, nothing changes
///             a block that a Free or ReAlloc ends is temporary if its thread began it by its last operation:
/// NewestRows
///   Destroy   ends all rows of the heap; for a heap that was neither created nor used before: Loss::HeapsUnknown
/// The exit of a process does not end rows here (analysis can do so on request), but executing another program does.
/// Address 0 is not a block: the call failed, or freed nothing. Also counted: Loss::RowsDropped. Pipeline thread only.
class OutstandingBlocks {
  public:
    OutstandingBlocks(TraceColumns& columns, TraceHealth& health) : columns_(&columns), health_(health) {}

    /// For HeapCreate to HeapDestroy.
    void apply(const MemoryEvent& event, ProcessIndex process, StackId stack);

    /// The process executed another program. Its heaps and their blocks are gone (EndKind::Exec).
    void endSpace(ProcessIndex process, TraceTime time);

    /// Call shortly before apply() of this event: first for its block, then, when its stack is known and the block is
    /// fetched, for its site and row.
    void prefetchBlock(const MemoryEvent& event, ProcessIndex process) {
        heapOf(process, event.heap).blocks.prefetch(event.address);
    }
    void prefetchRow(const MemoryEvent& event, ProcessIndex process, StackId stack);

    /// Continues the rows in these columns, under other numbers.
    void moveTo(TraceColumns& columns, const RowNumbers& numbers);

    /// The id of this heap in rows.
    [[nodiscard]] HeapId idOf(ProcessIndex process, Address handle) { return heapOf(process, handle).id; }

    /// Memory used by the look-up tables.
    [[nodiscard]] std::uint64_t bytesReserved() const;

  private:
    struct HeapBlocks {
        ProcessIndex process;
        HeapId id;
        Address handle = 0;
        bool seen = false;   ///< created or used since it was last destroyed
        bool listed = false; ///< in heapsInUse_
        BlockMap blocks;
    };
    struct HeapKey {
        Address handle = 0;
        std::uint32_t process = 0;
        friend bool operator==(const HeapKey&, const HeapKey&) = default;
    };
    struct HeapKeyHash {
        std::size_t operator()(const HeapKey& key) const noexcept {
            return static_cast<std::size_t>(seededHash(key.handle, key.process));
        }
    };

    HeapBlocks& heapOf(ProcessIndex process, Address handle) {
        auto* recent = recentHeaps_[(handle >> 16) % recentHeaps_.size()];
        if (recent != nullptr && recent->handle == handle && recent->process == process) [[likely]]
            return *recent;
        return heapOfSlow(process, handle);
    }
    HeapBlocks& heapOfSlow(ProcessIndex process, Address handle);

    void alloc(HeapBlocks& heap, const MemoryEvent& event, StackId stack);
    void free(HeapBlocks& heap, const MemoryEvent& event, StackId stack);
    void realloc(HeapBlocks& heap, const MemoryEvent& event, StackId stack);
    void reallocOfLogged(HeapBlocks& heap, const MemoryEvent& event, StackId stack, RowId newRow);
    bool endOldBlock(HeapBlocks& heap, const MemoryEvent& event, StackId stack);
    void destroy(HeapBlocks& heap, const MemoryEvent& event, StackId stack);
    void endAll(HeapBlocks& heap, TraceTime time, SiteId endSite);
    void beginRow(HeapBlocks& heap, const MemoryEvent& event, SiteId site);
    void endRow(const BlockMap::Block& block, TraceTime time, SiteId endSite);
    [[nodiscard]] bool isTemporary(const BlockMap::Block& block, const MemoryEvent& free);
    [[nodiscard]] bool isLogged(const BlockMap::Block& block, const MemoryEvent& realloc) const;

    TraceColumns* columns_;
    TraceHealth& health_;
    std::array<HeapBlocks*, 16> recentHeaps_{};
    std::vector<std::unique_ptr<HeapBlocks>> heaps_;
    tsl::robin_map<HeapKey, HeapBlocks*, HeapKeyHash> heapsByKey_;
    std::vector<std::vector<HeapBlocks*>> heapsInUse_; ///< [process]: heaps asked for since its address space began
    ReallocEchoes echoes_;
    NewestRows newest_;
};

} // namespace highwater::store
