#pragma once

#include "core/event/memory_events.h"
#include "core/store/matching/outstanding_blocks.h"
#include "core/store/published/stack_table.h"

#include <array>
#include <cstdint>
#include <vector>

namespace highwater::store {

/// Delays the last few heap events, in order, so that the memory each needs is fetched while its predecessors are
/// processed. The stack and the block are fetched when an event arrives. Its site and row are fetched when its stack is
/// known, and only then is it applied. Callers that read the store, or change state that events depend on, must call
/// flush() first. Pipeline thread only.
class HeapLookahead {
  public:
    HeapLookahead(StackTable& stacks, OutstandingBlocks& blocks) : stacks_(stacks), blocks_(blocks) {}

    /// A HeapAlloc or HeapFree whose stack is not deferred.
    void push(const MemoryEvent& event, StackRoot root, ThreadLife life);
    /// Applies all delayed events.
    void flush();

  private:
    static constexpr std::uint64_t kSlots = 16;
    static constexpr std::uint64_t kResolveAfter = 6; ///< looks up the stack this many events later
    static constexpr std::uint64_t kApplyAfter = 12;  ///< applies the event this many events later

    struct Slot {
        MemoryEvent event;
        StackRoot root;
        EventStack::Kind stackKind = EventStack::Kind::None;
        StackTable::Prepared prepared;
        StackId stack;
        std::vector<Address> frames; ///< copy of the event's frames, which do not outlive the call
    };

    [[nodiscard]] Slot& slot(std::uint64_t number) { return slots_[number % kSlots]; }
    void resolveNext();
    void applyNext();

    StackTable& stacks_;
    OutstandingBlocks& blocks_;
    std::array<Slot, kSlots> slots_;
    std::uint64_t pushed_ = 0;
    std::uint64_t resolved_ = 0;
    std::uint64_t applied_ = 0;
};

} // namespace highwater::store
