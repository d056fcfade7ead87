#pragma once

#include "core/event/memory_events.h"
#include "core/event/trace_health.h"
#include "core/store/block_map.h"
#include "core/store/published_trace.h"
#include "core/store/realloc_echoes.h"

#include <tsl/robin_map.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace highwater::store {

/// Pairs heap allocations with frees: which block of which heap of which process instance is outstanding, as which row.
///   Alloc     a new row; on an outstanding address the old row ends first as "free lost" (Loss::FreesLost)
///   Free      ends the row; of an unknown block: Loss::UnmatchedFrees, and listed, never subtracted
///   ReAlloc   ends the old row and begins a new one that is marked as realloc; its echoes are dropped (ReallocEchoes);
///             an unknown old block: Loss::ReallocsOfUnknown; new address 0: it failed, nothing changes
///   Destroy   ends all rows of the heap; a heap that was neither created nor used before: Loss::HeapsUnknown
/// The exit of a process ends nothing here (analysis can be told to). Address 0 is no block: the call failed, or freed
/// nothing. Also counted: Loss::RowsDropped. Pipeline thread only.
///
/// Looking up a block is a miss of all caches. So allocs and frees wait, in order, while kAhead more arrive, and the
/// memory that they need is fetched meanwhile. What the event itself says (stack, echo or not) is settled when it
/// arrives.
class OutstandingBlocks {
  public:
    OutstandingBlocks(TraceColumns& columns, TraceHealth& health) : columns_(columns), health_(health) {}

    /// Any of HeapCreate to HeapDestroy.
    void apply(const MemoryEvent& event, StackRoot root);

    /// Carries out what still waits: before the rows are published.
    void catchUp();

    /// Memory taken by the look-up tables.
    [[nodiscard]] std::uint64_t bytesReserved() const;

  private:
    struct HeapBlocks {
        ProcessIndex process;
        HeapId id;
        Address handle = 0;
        bool seen = false; ///< created or used since it was destroyed last
        BlockMap blocks;
    };
    /// An alloc or a free that waits for its memory.
    struct Step {
        HeapBlocks* heap = nullptr; ///< null: none
        TraceTime time;
        Address address = 0;
        ByteCount size = 0;
        SiteId site;
        bool begins = false;
    };
    static constexpr std::size_t kAhead = 4;

    struct HeapKey {
        Address handle = 0;
        std::uint32_t process = 0;
        friend bool operator==(const HeapKey&, const HeapKey&) = default;
    };
    struct HeapKeyHash {
        std::size_t operator()(const HeapKey& key) const noexcept {
            return static_cast<std::size_t>(
                ((key.handle ^ (std::uint64_t{key.process} << 40)) * 0x9E3779B97F4A7C15ull) >> 32);
        }
    };

    HeapBlocks& heapOf(ProcessIndex process, Address handle) {
        auto* recent = recentHeaps_[(handle >> 16) % recentHeaps_.size()];
        if (recent != nullptr && recent->handle == handle && recent->process == process) [[likely]]
            return *recent;
        return heapOfSlow(process, handle);
    }
    HeapBlocks& heapOfSlow(ProcessIndex process, Address handle);

    void alloc(HeapBlocks& heap, const MemoryEvent& event, StackRoot root);
    void free(HeapBlocks& heap, const MemoryEvent& event, StackRoot root);
    void put(const Step& step);
    void carryOut(const Step& step);
    void realloc(HeapBlocks& heap, const MemoryEvent& event, StackRoot root);
    void reallocOfLogged(HeapBlocks& heap, const MemoryEvent& event, StackRoot root, RowId newRow);
    bool endOldBlock(HeapBlocks& heap, const MemoryEvent& event, StackId stack);
    void destroy(HeapBlocks& heap, const MemoryEvent& event, StackRoot root);
    void beginRow(const Step& step);
    void freeBlock(const Step& step);
    void endRow(const BlockMap::Block& block, TraceTime time, SiteId endSite);
    [[nodiscard]] bool isLogged(const BlockMap::Block& block, const MemoryEvent& realloc) const;

    TraceColumns& columns_;
    TraceHealth& health_;
    std::array<HeapBlocks*, 16> recentHeaps_{};
    std::vector<std::unique_ptr<HeapBlocks>> heaps_;
    tsl::robin_map<HeapKey, HeapBlocks*, HeapKeyHash> heapsByKey_;
    ReallocEchoes echoes_;
    std::array<Step, kAhead> steps_{}; ///< a ring
    std::size_t oldest_ = 0;
};

} // namespace highwater::store
