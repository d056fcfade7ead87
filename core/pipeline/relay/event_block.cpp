#include "core/pipeline/relay/event_block.h"

#include <algorithm>

namespace highwater::pipeline {
namespace {

/// Large enough that the cost of handing blocks over is negligible, small enough that a block stays in the cache.
constexpr std::size_t kMostEvents = 4096, kEnoughEvents = 512;
constexpr std::size_t kFrames = 8192;

} // namespace

bool EventBlock::hasRoomFor(std::size_t frames) const {
    if (isEmpty()) return true;
    return memory_.size() + others_.size() < kMostEvents && frames <= frames_.capacity() - frames_.size();
}

bool EventBlock::isWorthHandingOn() const {
    return memory_.size() + others_.size() >= kEnoughEvents || frames_.size() >= kFrames / 2;
}

std::span<const Address> EventBlock::kept(std::span<const Address> frames) {
    if (frames_.empty()) frames_.reserve(std::max(kFrames, frames.size()));
    const auto begin = frames_.size();
    frames_.insert(frames_.end(), frames.begin(), frames.end());
    return std::span<const Address>(frames_).subspan(begin);
}

/// Computes the hash here, where the frames are in the cache, which saves work in the storing thread.
void EventBlock::keepStack(EventStack& stack) {
    if (stack.kind == EventStack::Kind::Frames) keepFrames(stack, hashFrames(stack.frames));
}

void EventBlock::keepFrames(EventStack& stack, const FramesHash& hash) {
    stack.frames = kept(stack.frames);
    stack.hash = hash;
    stack.hasHash = true;
}

void EventBlock::addWithFrames(const MemoryEvent& event, const FramesHash& hash) {
    memory_.push_back(event);
    keepFrames(memory_.back().stack, hash);
}

void EventBlock::addWithKnown(const MemoryEvent& event, const FramesHash& hash) {
    memory_.push_back(event);
    memory_.back().stack = {EventStack::Kind::Known, {}, {}, true, hash};
}

void EventBlock::onMemoryEvent(const MemoryEvent& event) {
    memory_.push_back(event);
    keepStack(memory_.back().stack);
}

void EventBlock::onPendingStackDefined(PendingStackId id, std::span<const Address> frames) {
    add(PendingStack{id, kept(frames)});
}

void EventBlock::onSnapshotBlock(const SnapshotBlock& block) {
    auto copy = block;
    keepStack(copy.stack);
    add(copy);
}

bool EventBlock::endsWithTimeReached() const {
    return !others_.empty() && others_.back().memoryBefore == memory_.size() &&
           std::holds_alternative<TimeReached>(others_.back().event);
}

void EventBlock::clear() {
    memory_.clear();
    others_.clear();
    frames_.clear();
}

} // namespace highwater::pipeline
