#pragma once

#include "core/event/memory_events.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace highwater::decode {

/// Learns which classes of events are recorded with stacks, because no record contains this. A class waits for stacks
/// until one of its events has waited for its full patience before any stack arrived. From then on it does not wait,
/// until a stack arrives after all. A class that was armed and then misses kMissesUntilUnarmed stacks in a row is
/// unarmed again, because a stack of another kind of record in the same tick may have armed it by mistake. Pipeline
/// thread only.
class StackArming {
  public:
    static constexpr std::uint32_t kMissesUntilUnarmed = 10'000;

    [[nodiscard]] bool waits(MemoryOperation operation) const { return of(operation).state != State::Unarmed; }
    void onStack(MemoryOperation operation) { of(operation) = {State::Armed, 0}; }
    /// An event is delivered without a stack. Returns whether that is a loss.
    [[nodiscard]] bool onMiss(MemoryOperation operation) {
        auto& entry = of(operation);
        const bool wasArmed = entry.state == State::Armed;
        if (!wasArmed || ++entry.missesInRow >= kMissesUntilUnarmed) entry = {State::Unarmed, 0};
        return wasArmed;
    }

  private:
    enum class State : std::uint8_t { Learning, Armed, Unarmed };
    struct Entry {
        State state = State::Learning;
        std::uint32_t missesInRow = 0;
    };
    [[nodiscard]] Entry& of(MemoryOperation operation) { return entries_[static_cast<std::size_t>(operation)]; }
    [[nodiscard]] const Entry& of(MemoryOperation operation) const {
        return entries_[static_cast<std::size_t>(operation)];
    }

    std::array<Entry, kMemoryOperationCount> entries_{};
};

} // namespace highwater::decode
