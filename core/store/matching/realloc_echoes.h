#pragma once

#include "core/base/seeded_hash.h"
#include "core/event/memory_events.h"

#include <tsl/robin_map.h>

#include <array>
#include <cstdint>

namespace highwater::store {

/// Some systems log a realloc alone. Others also log an Alloc of the new and a Free of the old block, before or after
/// it. This remembers, per thread, which of these may still follow a realloc (its echoes, which are not separate
/// events), and which Frees came just before one. Pipeline thread only.
///
/// An echo is among the next two heap events of the thread. Any other heap event of the thread ends the waiting.
class ReallocEchoes {
  public:
    enum class Wanted : std::uint8_t { Free, Alloc, AllocAndFree };

    /// Call for every heap event, in order. Returns true and forgets it if it is an echo. One comparison if no thread
    /// waits.
    [[nodiscard]] bool takes(const MemoryEvent& event) { return !waiting_.empty() && takesSlow(event); }

    /// Echoes of this realloc may follow.
    void expect(const MemoryEvent& realloc, Wanted wanted);

    /// Remembers the last few Frees that were applied.
    void noteFree(const MemoryEvent& free) {
        recent_[nextRecent_] = {free.address, free.heap, threadKey(free)};
        nextRecent_ = (nextRecent_ + 1) % recent_.size();
    }
    /// Whether the old block of this realloc was freed just before by the same thread. Forgets that Free.
    [[nodiscard]] bool takesRecentFree(const MemoryEvent& realloc);

  private:
    struct RecentFree {
        Address address = 0;
        Address heap = 0;
        std::uint64_t thread = 0;
    };
    struct Expected {
        Address heap = 0;
        Address newAddress = 0;
        ByteCount newSize = 0;
        Address oldAddress = 0;
        bool alloc = false;
        bool free = false;
    };

    [[nodiscard]] static std::uint64_t threadKey(const MemoryEvent& event) {
        return (std::uint64_t{event.pid} << 32) | event.tid.value;
    }
    bool takesSlow(const MemoryEvent& event);

    tsl::robin_map<std::uint64_t, Expected, SeededHash> waiting_; ///< by thread
    std::array<RecentFree, 16> recent_{};
    std::size_t nextRecent_ = 0;
};

} // namespace highwater::store
