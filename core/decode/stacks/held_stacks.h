#pragma once

#include "core/decode/stacks/waiting_event.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <vector>

namespace highwater::decode {

/// A stack that arrived before its event.
struct HeldStack {
    StackReference reference;
    StackPart part; ///< its frames outlive the record
    StackHalf half = StackHalf::User;
    bool mayBeGuessed = true; ///< for an event that is not certainly its own; once refused, it stays refused
    bool isTaken = false;
};

/// The stacks that arrived before their events, until their tick is over. Finds the first one for an event, regardless
/// of their number. Ordered maps for the same reason as in CrowdedTick. Pipeline thread only.
class HeldStacks {
  public:
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] std::size_t count() const { return count_; }
    /// The first tick with a held stack; far in the future if there is none.
    [[nodiscard]] std::int64_t firstTick() const {
        return ticks_.empty() ? std::numeric_limits<std::int64_t>::max() : ticks_.begin()->first;
    }

    void add(const HeldStack& stack);
    /// The longest held stack that matches a half that the event is open for, or null. Valid until the next call.
    [[nodiscard]] HeldStack* find(const WaitingEvent& waiting);
    /// The stack was attached and can be forgotten.
    void take(HeldStack& stack);
    /// Forgets all stacks of ticks before this one. Those that were not taken are passed to `dropped` first.
    void drop(std::int64_t before, const std::function<void(HeldStack&)>& dropped);

  private:
    /// Stacks by number, in order of arrival; taken ones are permanently skipped.
    struct List {
        std::vector<std::uint32_t> stacks;
        std::size_t next = 0;
    };
    /// Kernel halves and all others.
    struct Halves {
        List kernel;
        List others;
    };
    struct Tick {
        std::deque<HeldStack> stacks;
        std::size_t takenCount = 0;
        std::map<ThreadId, Halves> byThread;
        std::map<std::uint64_t, Halves> byPlace; ///< process and processor
        std::map<std::uint32_t, Halves> byProcess;
        std::map<std::uint16_t, Halves> byProcessor;
    };
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    static constexpr std::size_t kFewTaken = 1024;

    static void append(Tick& tick, const HeldStack& stack);
    static void forgetTaken(Tick& tick);
    [[nodiscard]] static std::uint32_t firstIn(List& list, const Tick& tick, bool isGuess);
    template <typename Key>
    [[nodiscard]] static std::uint32_t firstOf(std::map<Key, Halves>& lists, Key key, WaitingEvent::Open open,
                                               const Tick& tick, bool isGuess);

    std::map<std::int64_t, Tick> ticks_;
    std::size_t count_ = 0; ///< not taken yet
};

} // namespace highwater::decode
