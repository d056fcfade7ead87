#pragma once

#include "core/base/ids.h"
#include "core/base/seeded_hash.h"
#include "core/event/memory_events.h"
#include "core/event/trace_health.h"
#include "core/store/matching/block_map.h"
#include "core/store/matching/realloc_echoes.h"

#include <tsl/robin_map.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace highwater::store {

/// Pairs frees of heap blocks with their allocations by the rules of OutstandingBlocks and counts the same losses, but
/// does not keep ended blocks. For recordings whose rows are never queried. Pipeline thread only.
class HeapTally {
  public:
    explicit HeapTally(TraceHealth& health) : health_(health) {}

    /// For HeapCreate to HeapDestroy, ordered by time. Takes effect some events later, when its block has been fetched.
    void push(const MemoryEvent& event, ProcessIndex process) {
        auto& slot = slots_[pushed_ % kSlots];
        slot = {event, process};
        slot.event.stack = {};
        heapOf(process, event.heap).blocks.prefetch(event.address);
        ++pushed_;
        if (pushed_ - applied_ == kSlots) applyNext();
    }
    /// The process executed another program. Its heaps and their blocks are gone.
    void endSpace(ProcessIndex process);

    /// The number of rows that OutstandingBlocks would have.
    [[nodiscard]] std::uint64_t allocations() {
        flush();
        return allocations_;
    }
    /// In all heaps. Wraps around if sizes are damaged.
    [[nodiscard]] SignedByteCount outstanding() {
        flush();
        return static_cast<SignedByteCount>(outstanding_);
    }
    /// The most so far in the heaps of one process.
    [[nodiscard]] SignedByteCount mostOutstanding(ProcessIndex process) {
        flush();
        return process.value < levels_.size() ? levels_[process.value].most : 0;
    }

  private:
    static constexpr std::uint64_t kSlots = 8;
    /// Without rows the number of blocks is small because only outstanding ones are kept.
    static constexpr std::uint32_t kFullOfFive = 2;
    static constexpr std::uint32_t kWide = 0xFFFFFFFFu; ///< BlockMap::Block::size is in `wide`

    struct Slot {
        MemoryEvent event;
        ProcessIndex process;
    };
    struct Heap {
        ProcessIndex process;
        Address handle = 0;
        bool seen = false; ///< created or used since it was last destroyed
        ByteCount bytes = 0;
        /// Each block stores the thread that allocated it in place of a row.
        BlockMap blocks{kFullOfFive};
        tsl::robin_map<Address, ByteCount, SeededHash> wide{}; ///< sizes of 4 GB and more
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

    Heap& heapOf(ProcessIndex process, Address handle) {
        auto* recent = recent_[(handle >> 16) % recent_.size()];
        if (recent != nullptr && recent->handle == handle && recent->process == process) [[likely]]
            return *recent;
        return heapOfSlow(process, handle);
    }
    Heap& heapOfSlow(ProcessIndex process, Address handle);

    void flush() {
        while (applied_ != pushed_)
            applyNext();
    }
    void applyNext();
    void free(Heap& heap, const MemoryEvent& event);
    void realloc(Heap& heap, const MemoryEvent& event);
    void destroy(Heap& heap);
    void begin(Heap& heap, const MemoryEvent& event);
    bool end(Heap& heap, Address address);
    [[nodiscard]] static ByteCount sizeOf(const Heap& heap, const BlockMap::Block& block);
    [[nodiscard]] static bool isLogged(const Heap& heap, const BlockMap::Block& block, const MemoryEvent& realloc);
    void add(Heap& heap, ByteCount bytes);
    void dropAll(Heap& heap);

    TraceHealth& health_;
    std::array<Slot, kSlots> slots_{};
    std::uint64_t pushed_ = 0;
    std::uint64_t applied_ = 0;
    std::array<Heap*, 16> recent_{};
    tsl::robin_map<HeapKey, std::unique_ptr<Heap>, HeapKeyHash> heaps_;
    std::vector<std::vector<Address>> handles_; ///< [process]: handles of its heaps
    struct Level {
        ByteCount now = 0;
        SignedByteCount most = 0; ///< so far
    };
    std::vector<Level> levels_; ///< [process]
    ByteCount outstanding_ = 0;
    std::uint64_t allocations_ = 0;
    ReallocEchoes echoes_;
};

} // namespace highwater::store
