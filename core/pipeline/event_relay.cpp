#include "core/pipeline/event_relay.h"

namespace highwater::pipeline {
namespace {

/// Enough to even out events that take long; few enough to stay in the cache.
constexpr std::size_t kBlocksInFlight = 24;

} // namespace

EventRelay::EventRelay() : queue_(kBlocksInFlight) {}

EventBlock& EventRelay::roomFor(std::size_t frames) {
    if (!block_.hasRoomFor(frames)) [[unlikely]]
        handOn();
    return block_;
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
