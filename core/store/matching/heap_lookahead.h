#pragma once

#include "core/event/memory_events.h"
#include "core/store/matching/outstanding_blocks.h"
#include "core/store/published/stack_table.h"

#include <array>
#include <cstdint>
#include <vector>

namespace highwater::store {

/// Keeps the last few heap events back, in order, so that the memory each will need is on its way while its
/// predecessors are worked on: the stack and the block are fetched when an event comes in, its site and its row when
/// its stack is known, and only then is it applied. Whoever is going to look at the store, or to change what the events
/// depend on, calls flush() first. Pipeline thread only.
class HeapLookahead {
  public:
    HeapLookahead(StackTable& stacks, OutstandingBlocks& blocks) : stacks_(stacks), blocks_(blocks) {}

    /// A HeapAlloc or HeapFree whose stack is not deferred.
    void push(const MemoryEvent& event, StackRoot root, ThreadLife life);
    /// Applies all that is kept back.
    void flush();

  private:
    static constexpr std::uint64_t kSlots = 16;
    static constexpr std::uint64_t kResolveAfter = 6; ///< events later the stack is looked up
    static constexpr std::uint64_t kApplyAfter = 12;  ///< events later it is applied

    struct Slot {
        MemoryEvent event;
        StackRoot root;
        EventStack::Kind stackKind = EventStack::Kind::None;
        StackTable::Prepared prepared;
        StackId stack;
        std::vector<Address> frames; ///< the event's, whose own are gone by then
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
