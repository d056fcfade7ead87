#include "core/decode/stacks/stack_walk_joiner.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace highwater::decode {
namespace {

// A stream in which time does not advance must not fill the memory. Beyond this the oldest event is delivered without
// its stack.
constexpr std::size_t kMostWaiting = std::size_t{1} << 20;
constexpr std::size_t kMostWaitingFrames = std::size_t{1} << 24;
// The same for stacks whose events do not arrive; the other half of the frames is for events.
constexpr std::size_t kMostHeldStacks = std::size_t{1} << 20;
constexpr std::size_t kMostFramesToHoldStacks = kMostWaitingFrames / 2;
/// Up to this many events of one tick are searched linearly.
constexpr std::size_t kFewInTick = 32;

/// System processes have no user half.
bool hasUserMode(std::uint32_t pid) { return pid != 0 && pid != 4; }

std::int64_t addSaturating(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

} // namespace

StackWalkJoiner::StackWalkJoiner(const Clock& clock, std::int64_t patienceTicks, StackKeyTable& keys, EventSink& sink,
                                 TraceHealth& health)
    : clock_(clock),
      patienceTicks_(std::max<std::int64_t>(patienceTicks, 0)),
      keys_(keys),
      sink_(sink),
      health_(health) {}

// ---- incoming events ----

WaitingEvent& StackWalkJoiner::push(std::int64_t ticks) {
    while (queue_.size() >= kMostWaiting || pool_.framesInUse() >= kMostWaitingFrames) {
        if (queue_.empty()) break;
        expireFront();
        deliverReady();
    }
    auto& slot = queue_.pushSlot();
    slot.ticks = ticks;
    slot.matchId = 0;
    slot.kernel = {};
    slot.user = {};
    slot.isStackless = false;
    slot.isComplete = false;
    return slot;
}

void StackWalkJoiner::pushMemory(const MemoryEvent& event, const EventOrigin& origin) {
    auto& slot = push(origin.ticks);
    slot.event = event;
    slot.processor = origin.processor;
    slot.expectation = origin.expectation;
    slot.cameWithoutThread = !event.tid.isKnown();
}

// The last event in the queue is unmodified.
void StackWalkJoiner::onPushed() {
    const auto& waiting = queue_.back();
    if (crowded_.empty()) return;
    const auto newest = std::prev(crowded_.end());
    if (newest->first == waiting.ticks) newest->second.add(delivered_ + queue_.size() - 1, waiting);
}

// After an event was added or completed: delivers events that are ready.
void StackWalkJoiner::settle() {
    if (mayLeave(queue_.front())) deliverReady();
    updateWake();
}

/// Nothing waits before it, and it waits for nothing, so it need not be queued.
void StackWalkJoiner::deliverAtOnce(const MemoryEvent& event, std::int64_t ticks) {
    recent_.add({ticks, event.pid, event.tid, event.operation, event.stack.kind != EventStack::Kind::None});
    sink_.onMemoryEvent(event);
    ++delivered_;
}

void StackWalkJoiner::addEvent(const MemoryEvent& event, const EventOrigin& origin) {
    const bool waits = origin.expectation != StackExpectation::Never && arming_.waits(event.operation);
    if (queue_.empty() && held_.empty() && !waits) return deliverAtOnce(event, origin.ticks);
    pushMemory(event, origin);
    onPushed();
    if (!held_.empty()) attachHeldStacks(queue_.size() - 1);
    if (queue_.size() == 1) settle();
}

void StackWalkJoiner::addEventWithStack(MemoryEvent& event, const EventOrigin& origin, StackPart stack, StackHalf half,
                                        std::uint64_t matchId) {
    const bool completes = matchId == 0 || half != StackHalf::Kernel;
    if (queue_.empty() && completes) {
        const StackPart none;
        const bool isKernel = half == StackHalf::Kernel;
        event.stack = keys_.resolve(isKernel ? stack : none, isKernel ? none : stack);
        return deliverAtOnce(event, origin.ticks);
    }
    pushMemory(event, origin);
    auto& slot = queue_.back();
    if (stack.kind == StackPart::Kind::Key) keys_.hold(stack.generation);
    const bool isFirst = queue_.size() == 1;
    auto& place = half == StackHalf::Kernel ? slot.kernel : slot.user;
    place = kept(stack);
    slot.isComplete = completes;
    if (!completes) {
        slot.matchId = matchId;
        slot.expectation = StackExpectation::Learned;
        positionOfMatch_[matchId] = delivered_ + queue_.size() - 1;
    }
    onPushed();
    if (!completes && !held_.empty()) attachHeldStacks(queue_.size() - 1);
    if (isFirst) settle();
}

bool StackWalkJoiner::addWithFrames(MemoryEvent& event, const EventOrigin& origin, const StackReference& reference,
                                    const FrameRun& run) {
    const bool fits = event.tid.isKnown() && event.tid == reference.tid && origin.ticks == reference.eventTicks;
    const bool completes = run.endsInUser || !hasUserMode(reference.pid);
    if (!isIdle() || !fits || !completes || run.frames.empty()) return false;
    if (origin.expectation == StackExpectation::Never || !arming_.waits(event.operation)) return false;
    if (reference.recordTicks > addSaturating(origin.ticks, patienceTicks_)) return false;
    arming_.onStack(event.operation);
    event.stack.kind = EventStack::Kind::Frames;
    event.stack.frames = run.frames;
    deliverAtOnce(event, origin.ticks);
    return true;
}

void StackWalkJoiner::addStackless(StacklessEvent event, std::int64_t ticks) {
    auto& slot = push(ticks);
    slot.event.time = clock_.toTime(ticks);
    slot.isStackless = true;
    stackless_.push_back(std::move(event));
    if (queue_.size() == 1) settle();
}

// ---- incoming stacks ----

void StackWalkJoiner::addFrames(const StackReference& reference, const FrameRun& run) {
    if (run.frames.empty()) return;
    StackPart part;
    part.kind = StackPart::Kind::Frames;
    part.frames = run.frames;
    const auto half = !run.endsInUser ? StackHalf::Kernel : run.startsInKernel ? StackHalf::Whole : StackHalf::User;
    addStack(reference, half, part);
}

void StackWalkJoiner::addKey(const StackReference& reference, StackHalf half, KeyGeneration generation) {
    StackPart part;
    part.kind = StackPart::Kind::Key;
    part.generation = generation;
    addStack(reference, half, part);
}

void StackWalkJoiner::addStack(const StackReference& reference, StackHalf half, StackPart part) {
    const auto match = findEvent(reference, half);
    if (match.index == kNotFound) {
        onUnmatched(reference, half, part, match.isRefused);
        return;
    }
    if (part.kind == StackPart::Kind::Key) keys_.hold(part.generation);
    const bool learnsThread = !queue_[match.index].event.tid.isKnown();
    attach(match.index, reference, half, part);
    if (learnsThread && !held_.empty()) attachHeldStacks(match.index);
    if (match.index == 0) settle();
}

void StackWalkJoiner::addMatchedHalf(std::uint64_t matchId, StackPart stack) {
    const auto found = positionOfMatch_.find(matchId);
    if (found == positionOfMatch_.end()) return;
    const auto index = static_cast<std::size_t>(found->second - delivered_);
    positionOfMatch_.erase(found);
    auto& waiting = queue_[index];
    const auto before = waiting.open();
    if (stack.kind == StackPart::Kind::Key) keys_.hold(stack.generation);
    release(waiting.user);
    waiting.user = kept(stack);
    waiting.isComplete = true;
    if (auto* crowded = crowdedTickOf(waiting.ticks))
        crowded->change(delivered_ + index, waiting, before, waiting.event.tid);
    if (index == 0) settle();
}

StackWalkJoiner::TickRange StackWalkJoiner::eventsAt(std::int64_t ticks) const {
    const std::size_t size = queue_.size();
    if (size == 0 || ticks > queue_[size - 1].ticks || ticks < queue_[0].ticks) return {0, 0};
    // Usually the first event, alone in its tick.
    if (ticks == queue_[0].ticks && (size == 1 || queue_[1].ticks != ticks)) return {0, 1};
    // The first event that is not older than `ticks`, or (isEnd) that is younger.
    const auto bound = [&](std::size_t low, bool isEnd) {
        std::size_t high = size;
        while (low < high) {
            const auto middle = low + (high - low) / 2;
            if (queue_[middle].ticks < ticks || (isEnd && queue_[middle].ticks == ticks))
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    };
    const auto first = bound(0, false);
    return {first, bound(first, true)};
}

CrowdedTick* StackWalkJoiner::crowdedTickOf(std::int64_t ticks) {
    if (crowded_.empty()) return nullptr;
    const auto found = crowded_.find(ticks);
    return found == crowded_.end() ? nullptr : &found->second;
}

CrowdedTick& StackWalkJoiner::crowdedTick(std::int64_t ticks, TickRange range) {
    const auto [place, isNew] = crowded_.try_emplace(ticks);
    for (std::size_t i = range.first; isNew && i < range.end; ++i)
        place->second.add(delivered_ + i, queue_[i]);
    return place->second;
}

/// The same search as in CrowdedTick, among few events.
CrowdedTick::Found StackWalkJoiner::findAmong(TickRange range, const StackReference& reference, StackHalf half) const {
    CrowdedTick::Found best;
    for (std::size_t i = range.first; i < range.end && best.fit != Fit::Thread; ++i) {
        const auto& waiting = queue_[i];
        if (waiting.isStackless || !waiting.isOpenFor(half)) continue;
        const auto fit = fitOf(waiting, reference, half);
        if (fit > best.fit) best = {delivered_ + i, fit};
    }
    return best;
}

bool StackWalkJoiner::hasHalfAlready(TickRange range, const StackReference& reference, StackHalf half) const {
    for (std::size_t i = range.first; i < range.end; ++i) {
        const auto& waiting = queue_[i];
        if (!waiting.isStackless && !waiting.isOpenFor(half) && waiting.event.tid == reference.tid) return true;
    }
    return false;
}

/// A guess is only made for a stack that has not found its event already.
bool StackWalkJoiner::isGuessRefused(bool hasHalf, const StackReference& reference) const {
    if (hasHalf) return true;
    const auto* recent = recent_.find(reference);
    return recent != nullptr && recent->tid == reference.tid;
}

StackWalkJoiner::Match StackWalkJoiner::findEvent(const StackReference& reference, StackHalf half) {
    const auto range = eventsAt(reference.eventTicks);
    auto* const crowded = range.end - range.first > kFewInTick ? &crowdedTick(reference.eventTicks, range) : nullptr;
    const auto found =
        crowded != nullptr ? crowded->find(reference, half, {queue_, delivered_}) : findAmong(range, reference, half);
    if (found.fit == Fit::None) return {};
    if (isGuess(found.fit)) {
        const bool hasHalf =
            crowded != nullptr ? crowded->hasHalfAlready(reference.tid, half) : hasHalfAlready(range, reference, half);
        if (isGuessRefused(hasHalf, reference)) return {kNotFound, true};
    }
    return {static_cast<std::size_t>(found.position - delivered_), false};
}

// Takes over the part: stored frames, and the hold on a generation.
void StackWalkJoiner::attach(std::size_t index, const StackReference& reference, StackHalf half, StackPart part) {
    auto& waiting = queue_[index];
    const auto before = waiting.open();
    const auto tidBefore = waiting.event.tid;
    if (waiting.expectation == StackExpectation::Learned) arming_.onStack(waiting.event.operation);
    if (!waiting.event.tid.isKnown()) waiting.event.tid = reference.tid;
    waiting.isComplete = half != StackHalf::Kernel || !hasUserMode(reference.pid);
    if (half == StackHalf::Whole) release(waiting.kernel);
    auto& place = half == StackHalf::Kernel ? waiting.kernel : waiting.user;
    // The first event is delivered immediately when it is complete, without a copy.
    place = index == 0 && waiting.isComplete ? part : kept(part);
    if (auto* crowded = crowdedTickOf(waiting.ticks)) crowded->change(delivered_ + index, waiting, before, tidBefore);
}

// It precedes its event (same tick), its event was already delivered, or it belongs to a record of another kind.
void StackWalkJoiner::onUnmatched(const StackReference& reference, StackHalf half, const StackPart& part,
                                  bool isRefused) {
    if (const auto* recent = recent_.find(reference)) {
        if (!recent->hadStack) arming_.onStack(recent->operation);
        return;
    }
    if (reference.eventTicks < reference.recordTicks) return;
    if (held_.count() >= kMostHeldStacks || pool_.framesInUse() >= kMostFramesToHoldStacks) {
        health_.count(Loss::StacksMissing);
        return;
    }
    if (part.kind == StackPart::Kind::Key) keys_.hold(part.generation);
    held_.add({reference, kept(part), half, !isRefused, false});
    wakeTicks_ = std::min(wakeTicks_, reference.eventTicks);
}

// Stacks that arrived before this event, in order of arrival. One that was refused as a guess is not tried as a guess
// again, so each is checked only a few times.
void StackWalkJoiner::attachHeldStacks(std::size_t index) {
    while (HeldStack* stack = held_.find(queue_[index])) {
        const auto& reference = stack->reference;
        if (isGuess(fitOf(queue_[index], reference, stack->half))) {
            const auto range = eventsAt(reference.eventTicks);
            const bool hasHalf =
                range.end - range.first > kFewInTick
                    ? crowdedTick(reference.eventTicks, range).hasHalfAlready(reference.tid, stack->half)
                    : hasHalfAlready(range, reference, stack->half);
            if (isGuessRefused(hasHalf, reference)) {
                stack->mayBeGuessed = false;
                continue;
            }
        }
        attach(index, reference, stack->half, stack->part);
        held_.take(*stack);
    }
}

void StackWalkJoiner::dropHeldStacks(std::int64_t before) {
    held_.drop(before, [this](HeldStack& stack) { release(stack.part); });
}

// ---- outgoing events ----

bool StackWalkJoiner::mayLeave(const WaitingEvent& waiting) const {
    if (waiting.isComplete || waiting.isStackless) return true;
    if (waiting.matchId != 0 || waiting.kernel.kind != StackPart::Kind::None)
        return false; // the other half will
                      // arrive
    return waiting.expectation == StackExpectation::Never || !arming_.waits(waiting.event.operation);
}

void StackWalkJoiner::deliverReady() {
    while (!queue_.empty() && mayLeave(queue_.front())) {
        deliverFront();
    }
}

void StackWalkJoiner::deliverFront() {
    auto& waiting = queue_.front();
    if (waiting.isStackless) {
        deliverStackless();
        return;
    }
    auto& event = waiting.event;
    event.stack = keys_.resolve(waiting.kernel, waiting.user);
    recent_.add({waiting.ticks, event.pid, event.tid, event.operation, event.stack.kind != EventStack::Kind::None});
    sink_.onMemoryEvent(event);
    if (waiting.matchId != 0) {
        const auto found = positionOfMatch_.find(waiting.matchId);
        if (found != positionOfMatch_.end() && found->second == delivered_) positionOfMatch_.erase(found);
    }
    release(waiting.kernel);
    release(waiting.user);
    popFront();
}

void StackWalkJoiner::popFront() {
    const auto& waiting = queue_.front();
    if (auto* crowded = crowdedTickOf(waiting.ticks)) crowded->remove(delivered_, waiting);
    queue_.popFront();
    ++delivered_;
    while (!crowded_.empty() && (queue_.empty() || crowded_.begin()->first < queue_.front().ticks))
        crowded_.erase(crowded_.begin());
}

void StackWalkJoiner::deliverStackless() {
    struct Deliver {
        EventSink& sink;
        void operator()(const ProcessEvent& event) const { sink.onProcess(event); }
        void operator()(const ThreadEvent& event) const { sink.onThread(event); }
        void operator()(const ImageEvent& event) const { sink.onImage(event); }
        void operator()(const ImageIdentityEvent& event) const { sink.onImageIdentity(event); }
        void operator()(const CodeEvent& event) const { sink.onCode(event); }
        void operator()(const GcEvent& event) const { sink.onGc(event); }
    };
    std::visit(Deliver{sink_}, stackless_.front());
    stackless_.pop_front();
    popFront();
}

// The patience for the first event has run out.
void StackWalkJoiner::expireFront() {
    const auto& waiting = queue_.front();
    if (!mayLeave(waiting)) {
        if (waiting.kernel.kind != StackPart::Kind::None || waiting.matchId != 0) {
            health_.count(Loss::StackHalvesMissing);
        } else if (arming_.onMiss(waiting.event.operation)) {
            health_.count(Loss::StacksMissing);
        }
    }
    deliverFront();
}

void StackWalkJoiner::wake(std::int64_t ticks) {
    if (!held_.empty()) dropHeldStacks(ticks);
    while (!queue_.empty() && ticks > addSaturating(queue_.front().ticks, patienceTicks_)) {
        expireFront();
        deliverReady();
    }
    updateWake();
}

void StackWalkJoiner::updateWake() {
    wakeTicks_ = queue_.empty() ? kNeverWake : addSaturating(queue_.front().ticks, patienceTicks_);
    wakeTicks_ = std::min(wakeTicks_, held_.firstTick());
}

void StackWalkJoiner::finish() {
    while (!queue_.empty()) {
        expireFront();
    }
    dropHeldStacks(kNeverWake);
    updateWake();
}

std::optional<TraceTime> StackWalkJoiner::oldestWaiting() const {
    if (queue_.empty()) return std::nullopt;
    return queue_[0].event.time;
}

// ---- parts ----

StackPart StackWalkJoiner::kept(const StackPart& part) {
    StackPart copy = part;
    if (part.kind != StackPart::Kind::Frames || part.isKept) return copy;
    copy.frames = pool_.keep(part.frames);
    copy.isKept = true;
    return copy;
}

void StackWalkJoiner::release(StackPart& part) {
    if (part.kind == StackPart::Kind::Key) keys_.release(part.generation);
    if (part.isKept) pool_.release(part.frames);
    part = {};
}

} // namespace highwater::decode
