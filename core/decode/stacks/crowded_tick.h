#pragma once

#include "core/decode/stacks/ring_buffer.h"
#include "core/decode/stacks/waiting_event.h"

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <vector>

namespace highwater::decode {

/// Finds, among the waiting events of one tick, the one that a stack belongs to, however many they are: by thread, by
/// process and by processor, the first of each. Positions count the events of the stream. The lists may name events
/// that are no longer what they were listed as; those are taken out when they come up. Ordered maps: numbers in a file
/// can be chosen so that a hash puts them all in one place. Pipeline thread only.
class CrowdedTick {
  public:
    /// The queue, whose front is the event at position `delivered`.
    struct Queue {
        const RingBuffer<WaitingEvent>& events;
        std::uint64_t delivered;
    };
    struct Found {
        std::uint64_t position = 0;
        Fit fit = Fit::None;
    };

    /// An event joined the queue.
    void add(std::uint64_t position, const WaitingEvent& waiting);
    /// An event that was open so, of this thread, has got a stack.
    void change(std::uint64_t position, const WaitingEvent& waiting, WaitingEvent::Open before, ThreadId tidBefore);
    /// The front of the queue leaves it.
    void remove(std::uint64_t position, const WaitingEvent& waiting);

    /// The first of those that fit best among those open for this half.
    [[nodiscard]] Found find(const StackReference& reference, StackHalf half, const Queue& queue);
    /// Whether an event of this thread has that half already.
    [[nodiscard]] bool hasHalfAlready(ThreadId tid, StackHalf half) const;

  private:
    using Positions = std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>>;
    struct Lists {
        Positions kernelMode; ///< open for both halves; of a thread: logged in kernel mode
        Positions userMode;   ///< the same, logged in user mode; of threads only
        Positions halves;     ///< open for the user half
        std::size_t halfCount = 0;
        std::size_t completeCount = 0;
        [[nodiscard]] bool isEmpty() const {
            return kernelMode.empty() && userMode.empty() && halves.empty() && halfCount + completeCount == 0;
        }
    };
    using PlaceKey = std::uint64_t;

    static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

    void uncount(ThreadId tid, WaitingEvent::Open open);
    static void drop(Lists& lists, std::uint64_t position);
    [[nodiscard]] static std::uint64_t firstIn(Positions& list, WaitingEvent::Open open, bool hasThread,
                                               const Queue& queue);
    [[nodiscard]] static std::uint64_t firstOf(Lists& lists, StackHalf half, bool hasThread, const Queue& queue);
    [[nodiscard]] std::uint64_t firstAt(PlaceKey key, StackHalf half, const Queue& queue);

    std::map<ThreadId, Lists> threads_; ///< of events whose thread is not known: the counts only
    std::map<PlaceKey, Lists> places_;  ///< events whose thread is not known
};

} // namespace highwater::decode
