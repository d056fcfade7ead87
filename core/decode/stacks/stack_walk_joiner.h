#pragma once

#include "core/base/seeded_hash.h"
#include "core/decode/records/clock.h"
#include "core/decode/records/stack_record.h"
#include "core/decode/stacks/crowded_tick.h"
#include "core/decode/stacks/frame_pool.h"
#include "core/decode/stacks/held_stacks.h"
#include "core/decode/stacks/recent_events.h"
#include "core/decode/stacks/ring_buffer.h"
#include "core/decode/stacks/stack_arming.h"
#include "core/decode/stacks/stack_key_table.h"
#include "core/decode/stacks/waiting_event.h"
#include "core/event/event_sink.h"
#include "core/event/trace_health.h"

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <tsl/robin_map.h>
#include <variant>

namespace highwater::decode {

/// Events without a stack that must not overtake events that wait for one.
using StacklessEvent = std::variant<ProcessEvent, ThreadEvent, ImageEvent, ImageIdentityEvent, CodeEvent, GcEvent>;

/// Data in the header of a record beyond its event.
struct EventOrigin {
    std::int64_t ticks = 0;
    std::uint16_t processor = 0;
    StackExpectation expectation = StackExpectation::Learned;
};

/// Attaches stacks to memory events and delivers all events to the sink in order of arrival.
///
/// A stack belongs to the waiting event with its time (raw ticks) and thread. An event without a thread (PERFINFO)
/// takes one of the same process, preferably of the same processor, or otherwise of the same processor (memory
/// allocated in another process), and gets its thread from it. A stack that ends in user mode completes its event. A
/// kernel half waits for the user half (except in the processes 0 and 4, which have none). Repeated halves are dropped.
/// A stack that precedes its event in the same tick is held until that tick is over. The cost of each event and stack
/// does not depend on their number in one tick.
///
/// The queue is first in, first out: the first event waits for its stack, at most `patience` of stream time and only if
/// its class has stacks; later events wait with it. Counted: Loss::StacksMissing, Loss::StackHalvesMissing. In the
/// common case, an event followed by its stack, the frames are passed to the sink without a copy. Pipeline thread only.
/// Times of calls must not decrease.
class StackWalkJoiner {
  public:
    StackWalkJoiner(const Clock& clock, std::int64_t patienceTicks, StackKeyTable& keys, EventSink& sink,
                    TraceHealth& health);

    /// Stream time has reached these ticks; call before the other calls for a record of that time.
    void advance(std::int64_t ticks) {
        if (ticks > wakeTicks_) wake(ticks);
    }
    /// The event has no stack yet.
    void addEvent(const MemoryEvent& event, const EventOrigin& origin);
    /// An event whose record contains its own stack. matchId not 0: a half, to be joined by addMatchedHalf.
    void addEventWithStack(MemoryEvent& event, const EventOrigin& origin, StackPart stack, StackHalf half,
                           std::uint64_t matchId);
    void addStackless(StacklessEvent event, std::int64_t ticks);
    /// The same as addEvent(), advance() to the time of the stack's record and addFrames(), if the event can be passed
    /// to the sink with this stack immediately. Otherwise returns false and does nothing.
    [[nodiscard]] bool addWithFrames(MemoryEvent& event, const EventOrigin& origin, const StackReference& reference,
                                     const FrameRun& run);
    /// Whether no event and no stack waits.
    [[nodiscard]] bool isIdle() const { return queue_.empty() && held_.empty(); }

    void addFrames(const StackReference& reference, const FrameRun& run);
    void addKey(const StackReference& reference, StackHalf half, KeyGeneration generation);
    /// The other half of the stack of a waiting event with this number.
    void addMatchedHalf(std::uint64_t matchId, StackPart stack);

    /// Delivers everything; waiting events are delivered without their stacks.
    void finish();
    /// Time of the oldest waiting event.
    [[nodiscard]] std::optional<TraceTime> oldestWaiting() const;

  private:
    static constexpr std::size_t kNotFound = std::numeric_limits<std::size_t>::max();
    static constexpr std::int64_t kNeverWake = std::numeric_limits<std::int64_t>::max();

    /// The event to which a stack belongs, if it can be determined.
    struct Match {
        std::size_t index = kNotFound;
        bool isRefused = false; ///< it would have been a guess and was refused
    };
    /// Positions in the queue of events of one tick: [first, end).
    struct TickRange {
        std::size_t first;
        std::size_t end;
    };

    void deliverAtOnce(const MemoryEvent& event, std::int64_t ticks);
    WaitingEvent& push(std::int64_t ticks);
    void pushMemory(const MemoryEvent& event, const EventOrigin& origin);
    void onPushed();
    void settle();

    [[nodiscard]] TickRange eventsAt(std::int64_t ticks) const;
    [[nodiscard]] Match findEvent(const StackReference& reference, StackHalf half);
    [[nodiscard]] CrowdedTick::Found findAmong(TickRange range, const StackReference& reference, StackHalf half) const;
    [[nodiscard]] bool hasHalfAlready(TickRange range, const StackReference& reference, StackHalf half) const;
    [[nodiscard]] bool isGuessRefused(bool hasHalf, const StackReference& reference) const;
    [[nodiscard]] CrowdedTick& crowdedTick(std::int64_t ticks, TickRange range);
    [[nodiscard]] CrowdedTick* crowdedTickOf(std::int64_t ticks);
    void addStack(const StackReference& reference, StackHalf half, StackPart part);
    void attach(std::size_t index, const StackReference& reference, StackHalf half, StackPart part);
    void onUnmatched(const StackReference& reference, StackHalf half, const StackPart& part, bool isRefused);
    void attachHeldStacks(std::size_t index);
    void dropHeldStacks(std::int64_t before);

    [[nodiscard]] bool mayLeave(const WaitingEvent& waiting) const;
    void deliverReady();
    void deliverFront();
    void popFront();
    void deliverStackless();
    void expireFront();
    void wake(std::int64_t ticks);
    void updateWake();

    [[nodiscard]] StackPart kept(const StackPart& part); ///< with frames that outlive the record
    void release(StackPart& part);

    const Clock& clock_;
    std::int64_t patienceTicks_;
    StackKeyTable& keys_;
    EventSink& sink_;
    TraceHealth& health_;

    RingBuffer<WaitingEvent> queue_;
    std::uint64_t delivered_ = 0; ///< position of the queue's front in the stream
    std::deque<StacklessEvent> stackless_;
    FramePool pool_;
    StackArming arming_;
    RecentEvents recent_;
    HeldStacks held_;
    std::map<std::int64_t, CrowdedTick> crowded_; ///< ticks with many events in the queue
    tsl::robin_map<std::uint64_t, std::uint64_t, SeededHash>
        positionOfMatch_;                 ///< match number -> position in the stream
    std::int64_t wakeTicks_ = kNeverWake; ///< no patience runs out before these ticks
};

} // namespace highwater::decode
