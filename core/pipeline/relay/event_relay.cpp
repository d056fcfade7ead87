#include "core/pipeline/relay/event_relay.h"

namespace highwater::pipeline {
namespace {

/// Enough to even out slow events; few enough to stay in the cache.
constexpr std::size_t kBlocksInFlight = 8;

} // namespace

EventRelay::EventRelay() : queue_(kBlocksInFlight) {}

EventBlock& EventRelay::roomFor(std::size_t frames) {
    if (!block_.hasRoomFor(frames)) [[unlikely]]
        handOn();
    return block_;
}

namespace {

/// Stacks of other events are not stored and count as never sent.
bool hasStoredFrames(const MemoryEvent& event) {
    return event.stack.kind == EventStack::Kind::Frames && !event.stack.frames.empty() &&
           memoryKind(event.operation) != MemoryKind::HeapRange;
}

} // namespace

void EventRelay::onMemoryEvent(const MemoryEvent& event) {
    if (!hasStoredFrames(event)) return roomFor(event.stack.frames.size()).onMemoryEvent(event);
    const auto hash = hashFrames(event.stack.frames);
    if (sent_.isKnown(event.pid, hash)) return roomFor(0).addWithKnown(event, hash);
    roomFor(event.stack.frames.size()).addWithFrames(event, hash);
}

void EventRelay::handOn() {
    if (block_.isEmpty()) return;
    if (!isGone_) isGone_ = !queue_.push(block_);
    if (isGone_) block_.clear();
}

void EventRelay::onTimeReached(TraceTime time) {
    roomFor(0).onTimeReached(time);
    if (block_.isWorthHandingOn()) handOn();
}

void EventRelay::finish() {
    handOn();
    queue_.producerFinished();
}

void EventRelay::giveBack(EventBlock block) {
    block.clear();
    queue_.giveBack(std::move(block));
}

} // namespace highwater::pipeline
