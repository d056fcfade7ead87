#pragma once

#include "core/decode/records/stack_record.h"
#include "core/event/memory_events.h"

#include <array>
#include <cstdint>

namespace highwater::decode {

/// The last delivered memory events, to distinguish a late or duplicate stack from one of another record. Pipeline
/// thread only.
class RecentEvents {
  public:
    struct Entry {
        std::int64_t ticks = 0;
        std::uint32_t pid = 0;
        ThreadId tid;
        MemoryOperation operation = MemoryOperation::VirtualAlloc;
        bool hadStack = false;
    };

    void add(const Entry& entry) { entries_[added_++ % kEntries] = entry; }

    /// The newest event that the reference may refer to, or null.
    [[nodiscard]] const Entry* find(const StackReference& reference) const {
        const std::uint64_t oldest = added_ > kEntries ? added_ - kEntries : 0;
        for (std::uint64_t i = added_; i > oldest; --i) {
            const auto& entry = entries_[(i - 1) % kEntries];
            if (entry.ticks < reference.eventTicks) break;
            if (entry.ticks != reference.eventTicks) continue;
            if (!entry.tid.isKnown() ? entry.pid == reference.pid : entry.tid == reference.tid) return &entry;
        }
        return nullptr;
    }

  private:
    static constexpr std::size_t kEntries = 256;
    std::array<Entry, kEntries> entries_{};
    std::uint64_t added_ = 0;
};

} // namespace highwater::decode
