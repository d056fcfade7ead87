#include "core/decode/stack_walk_joiner.h"

#include <algorithm>
#include <utility>

namespace highwater::decode {
namespace {

// A stream in which time stands still must not fill the memory: beyond this the oldest event goes without its stack.
constexpr std::size_t kMostWaiting = std::size_t{1} << 20;
constexpr std::size_t kMostWaitingFrames = std::size_t{1} << 24;
constexpr std::size_t kMostHeldStacks = 64;
/// Events of one tick that are looked at; a real clock does not tick slower than that.
constexpr std::size_t kMostInTick = 4096;

/// System processes have no user half.
bool hasUserMode(std::uint32_t pid) { return pid != 0 && pid != 4; }

/// How well an event without a complete stack fits a reference; 0 not at all.
/// UserModeThread: the right thread, but a kernel half for an event that is logged in user mode, which has none as a rule:
/// a kernel event of the same processor and tick has the better claim.
enum class Fit : std::uint8_t { None, Processor, Process, UserModeThread, ProcessAndProcessor, Thread };

std::int64_t addSaturating(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

bool isLoggedInUserMode(MemoryOperation operation) {
    return operation >= MemoryOperation::HeapCreate && operation <= MemoryOperation::HeapDestroy;
}

Fit fitOf(const MemoryEvent& event, bool sameProcessor, const StackReference& reference, StackHalf half) {
    if (event.tid != etl::kNoId) {
        if (event.tid != reference.tid) return Fit::None;
        return half == StackHalf::Kernel && isLoggedInUserMode(event.operation) ? Fit::UserModeThread : Fit::Thread;
    }
    if (event.pid == reference.pid) return sameProcessor ? Fit::ProcessAndProcessor : Fit::Process;
    return sameProcessor ? Fit::Processor : Fit::None;
}

} // namespace

StackWalkJoiner::StackWalkJoiner(const Clock& clock, std::int64_t patienceTicks, StackKeyTable& keys, EventSink& sink,
                                 TraceHealth& health)
    : clock_(clock),
      patienceTicks_(std::max<std::int64_t>(patienceTicks, 0)),
      keys_(keys),
      sink_(sink),
      health_(health) {}

// ---- events come in ----

StackWalkJoiner::Waiting& StackWalkJoiner::push(std::int64_t ticks) {
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
}

// After something was added behind or completed: deliver what can go now.
void StackWalkJoiner::settle() {
    if (mayLeave(queue_.front())) deliverReady();
    updateWake();
}

void StackWalkJoiner::addEvent(const MemoryEvent& event, const EventOrigin& origin) {
    pushMemory(event, origin);
    if (!held_.empty())
        attachHeldStacks();
    else if (queue_.size() == 1)
        settle();
}

void StackWalkJoiner::addEventWithStack(const MemoryEvent& event, const EventOrigin& origin, StackPart stack,
                                        StackHalf half, std::uint64_t matchId) {
    pushMemory(event, origin);
    auto& slot = queue_.back();
    if (stack.kind == StackPart::Kind::Key) keys_.hold(stack.generation);
    const bool isFirst = queue_.size() == 1;
    const bool completes = matchId == 0 || half != StackHalf::Kernel;
    auto& place = half == StackHalf::Kernel ? slot.kernel : slot.user;
    place = isFirst && completes ? stack : kept(stack);
    slot.isComplete = completes;
    if (!completes) {
        slot.matchId = matchId;
        slot.expectation = StackExpectation::Learned;
        positionOfMatch_[matchId] = delivered_ + queue_.size() - 1;
    }
    if (isFirst) settle();
}

void StackWalkJoiner::addStackless(StacklessEvent event, std::int64_t ticks) {
    auto& slot = push(ticks);
    slot.event.time = clock_.toTime(ticks);
    slot.isStackless = true;
    stackless_.push_back(std::move(event));
    if (queue_.size() == 1) settle();
}

// ---- stacks come in ----

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
    const auto index = findEvent(reference, half);
    if (index == kNotFound) {
        onUnmatched(reference, half, part);
        return;
    }
    if (part.kind == StackPart::Kind::Key) keys_.hold(part.generation);
    attach(index, reference, half, part);
    if (index == 0) settle();
}

void StackWalkJoiner::addMatchedHalf(std::uint64_t matchId, StackPart stack) {
    const auto found = positionOfMatch_.find(matchId);
    if (found == positionOfMatch_.end()) return;
    const auto index = static_cast<std::size_t>(found->second - delivered_);
    positionOfMatch_.erase(found);
    auto& waiting = queue_[index];
    if (stack.kind == StackPart::Kind::Key) keys_.hold(stack.generation);
    release(waiting.user);
    waiting.user = kept(stack);
    waiting.isComplete = true;
    if (index == 0) settle();
}

StackWalkJoiner::TickRange StackWalkJoiner::eventsAt(std::int64_t ticks) const {
    const std::size_t size = queue_.size();
    if (size == 0 || ticks > queue_[size - 1].ticks || ticks < queue_[0].ticks) return {0, 0};
    // Mostly the first event, alone in its tick.
    if (ticks == queue_[0].ticks && (size == 1 || queue_[1].ticks != ticks)) return {0, 1};
    std::size_t low = 0;
    std::size_t high = size;
    while (low < high) {
        const auto middle = low + (high - low) / 2;
        if (queue_[middle].ticks < ticks)
            low = middle + 1;
        else
            high = middle;
    }
    std::size_t end = low;
    while (end < size && queue_[end].ticks == ticks && end - low < kMostInTick)
        ++end;
    return {low, end};
}

std::size_t StackWalkJoiner::findEvent(const StackReference& reference, StackHalf half) const {
    std::size_t best = kNotFound;
    auto bestFit = Fit::None;
    bool isRepeated = false; // an event of this thread and time has this half already
    const auto range = eventsAt(reference.eventTicks);
    for (std::size_t i = range.first; i < range.end; ++i) {
        const auto& waiting = queue_[i];
        if (waiting.isStackless) continue;
        const auto fit = fitOf(waiting.event, waiting.processor == reference.processor, reference, half);
        const bool isOpen =
            !waiting.isComplete && (half != StackHalf::Kernel || waiting.kernel.kind == StackPart::Kind::None);
        if (fit == Fit::Thread && isOpen) return i;
        if (!isOpen && waiting.event.tid == reference.tid) isRepeated = true;
        if (isOpen && fit > bestFit) {
            best = i;
            bestFit = fit;
        }
    }
    if (best == kNotFound || bestFit >= Fit::UserModeThread) return best;
    // A guess: only for a stack that has not found its event already.
    const auto* recent = recent_.find(reference);
    return isRepeated || (recent != nullptr && recent->tid == reference.tid) ? kNotFound : best;
}

// Takes over the part: kept frames, and the hold on a generation.
void StackWalkJoiner::attach(std::size_t index, const StackReference& reference, StackHalf half, StackPart part) {
    auto& waiting = queue_[index];
    if (waiting.expectation == StackExpectation::Learned) arming_.onStack(waiting.event.operation);
    if (waiting.event.tid == etl::kNoId) waiting.event.tid = reference.tid;
    waiting.isComplete = half != StackHalf::Kernel || !hasUserMode(reference.pid);
    if (half == StackHalf::Whole) release(waiting.kernel);
    auto& place = half == StackHalf::Kernel ? waiting.kernel : waiting.user;
    // The first event leaves at once when it is complete: no copy.
    place = index == 0 && waiting.isComplete ? part : kept(part);
}

// Either it comes before its event (same tick), or its event has left, or it belongs to a record of another kind.
void StackWalkJoiner::onUnmatched(const StackReference& reference, StackHalf half, const StackPart& part) {
    if (const auto* recent = recent_.find(reference)) {
        if (!recent->hadStack) arming_.onStack(recent->operation);
        return;
    }
    if (reference.eventTicks < reference.recordTicks || held_.size() >= kMostHeldStacks) return;
    if (part.kind == StackPart::Kind::Key) keys_.hold(part.generation);
    held_.push_back({reference, kept(part), half});
    wakeTicks_ = std::min(wakeTicks_, reference.eventTicks);
}

void StackWalkJoiner::attachHeldStacks() {
    std::erase_if(held_, [this](const HeldStack& stack) {
        const auto index = findEvent(stack.reference, stack.half);
        if (index != kNotFound) attach(index, stack.reference, stack.half, stack.part);
        return index != kNotFound;
    });
    settle();
}

void StackWalkJoiner::dropHeldStacks(std::int64_t before) {
    std::erase_if(held_, [&](HeldStack& stack) {
        if (stack.reference.eventTicks >= before) return false;
        release(stack.part);
        return true;
    });
}

// ---- events go out ----

bool StackWalkJoiner::mayLeave(const Waiting& waiting) const {
    if (waiting.isComplete || waiting.isStackless) return true;
    if (waiting.matchId != 0 || waiting.kernel.kind != StackPart::Kind::None) return false; // the other half comes
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
    queue_.popFront();
    ++delivered_;
}

void StackWalkJoiner::deliverStackless() {
    struct Deliver {
        EventSink& sink;
        void operator()(const ProcessEvent& event) const { sink.onProcess(event); }
        void operator()(const ThreadEvent& event) const { sink.onThread(event); }
        void operator()(const ImageEvent& event) const { sink.onImage(event); }
        void operator()(const ImageIdentityEvent& event) const { sink.onImageIdentity(event); }
    };
    std::visit(Deliver{sink_}, stackless_.front());
    stackless_.pop_front();
    queue_.popFront();
    ++delivered_;
}

// The patience with the first event is at an end.
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
    for (const auto& stack : held_) {
        wakeTicks_ = std::min(wakeTicks_, stack.reference.eventTicks);
    }
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
