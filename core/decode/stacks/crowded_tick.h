#pragma once

#include "core/decode/stacks/ring_buffer.h"
#include "core/decode/stacks/waiting_event.h"

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <vector>

namespace highwater::decode {

/// Finds, among the waiting events of one tick, the one that a stack belongs to, regardless of their number: by thread,
/// by process and by processor, the first of each. Positions count the events of the stream. The lists may contain
/// events whose state has changed since they were added; these are removed when they are found. Ordered maps are used
/// because numbers in a crafted file could put all entries of a hash table in one place. Pipeline thread only.
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

    /// An event was added to the queue.
    void add(std::uint64_t position, const WaitingEvent& waiting);
    /// An event of this thread that was open for these halves has got a stack.
    void change(std::uint64_t position, const WaitingEvent& waiting, WaitingEvent::Open before, ThreadId tidBefore);
    /// The front of the queue is removed.
    void remove(std::uint64_t position, const WaitingEvent& waiting);

    /// The first of the best matches among those open for this half.
    [[nodiscard]] Found find(const StackReference& reference, StackHalf half, const Queue& queue);
    /// Whether an event of this thread already has that half.
    [[nodiscard]] bool hasHalfAlready(ThreadId tid, StackHalf half) const;

  private:
    using Positions = std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>>;
    struct Lists {
        Positions kernelMode; ///< open for both halves; for a thread: logged in kernel mode
        Positions userMode;   ///< the same, logged in user mode; only for threads
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

    std::map<ThreadId, Lists> threads_; ///< for events without a known thread: only the counts
    std::map<PlaceKey, Lists> places_;  ///< events without a known thread
};

} // namespace highwater::decode
