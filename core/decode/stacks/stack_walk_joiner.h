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

/// Events that carry no stack but must not overtake those that wait for one.
using StacklessEvent = std::variant<ProcessEvent, ThreadEvent, ImageEvent, ImageIdentityEvent, CodeEvent, GcEvent>;

/// What the header of a record says beyond its event.
struct EventOrigin {
    std::int64_t ticks = 0;
    std::uint16_t processor = 0;
    StackExpectation expectation = StackExpectation::Learned;
};

/// Attaches stacks to memory events and delivers all events to the sink, in the order in which they came.
///
/// A stack belongs to the waiting event with its time (raw ticks) and thread; an event without a thread (PERFINFO)
/// takes one of the same process, best of the same processor, or failing that of the same processor (memory allocated
/// in another process), and learns its thread from it. A stack that ends in user mode completes its event; a kernel
/// half waits for the user half (not in the processes 0 and 4, which have none). Repeated halves are dropped. A stack
/// that precedes its event in the same tick is held until that tick is over. However many events and stacks there are
/// in one tick, each costs about the same.
///
/// The queue is first in, first out: the first event waits for its stack, at most `patience` of stream time and only if
/// its class has stacks; everything behind it waits with it. Counted: Loss::StacksMissing, Loss::StackHalvesMissing.
/// In the common case, event and then its stack, the frames go to the sink from where they lie, without a copy.
/// Pipeline thread only. Times of calls must not go backwards.
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
    /// An event whose record carries its own stack. matchId not 0: a half, to be joined by addMatchedHalf.
    void addEventWithStack(MemoryEvent& event, const EventOrigin& origin, StackPart stack, StackHalf half,
                           std::uint64_t matchId);
    void addStackless(StacklessEvent event, std::int64_t ticks);
    /// The same as addEvent(), advance() to the time of the stack's record and addFrames(), where the event goes to the
    /// sink with this stack at once. False: it would not, and nothing has happened.
    [[nodiscard]] bool addWithFrames(MemoryEvent& event, const EventOrigin& origin, const StackReference& reference,
                                     const FrameRun& run);
    /// Whether no event and no stack waits.
    [[nodiscard]] bool isIdle() const { return queue_.empty() && held_.empty(); }

    void addFrames(const StackReference& reference, const FrameRun& run);
    void addKey(const StackReference& reference, StackHalf half, KeyGeneration generation);
    /// The other half of the stack of a waiting event with this number.
    void addMatchedHalf(std::uint64_t matchId, StackPart stack);

    /// Delivers everything; what waits goes without.
    void finish();
    /// Time of the oldest event that waits.
    [[nodiscard]] std::optional<TraceTime> oldestWaiting() const;

  private:
    static constexpr std::size_t kNotFound = std::numeric_limits<std::size_t>::max();
    static constexpr std::int64_t kNeverWake = std::numeric_limits<std::int64_t>::max();

    /// What a stack belongs to, as far as it can be told.
    struct Match {
        std::size_t index = kNotFound;
        bool isRefused = false; ///< it would have been a guess, and was not made
    };
    /// Where in the queue events of one tick stand: [first, end).
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
    std::int64_t wakeTicks_ = kNeverWake; ///< nothing runs out before these ticks
};

} // namespace highwater::decode
