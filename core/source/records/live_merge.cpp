#include "core/source/records/live_merge.h"

#include <algorithm>

namespace highwater::source {
namespace {

constexpr auto kEver = std::numeric_limits<std::int64_t>::max();

} // namespace

LiveMerge::LiveMerge(std::vector<LiveRing*> rings, std::int64_t patience, std::int64_t now)
    : patience_(patience), reached_(now) {
    for (auto* ring : rings)
        streams_.push_back({ring, 0, now});
}

void LiveMerge::addSeldom(LiveRing& ring) { streams_.push_back({&ring, 0, reached_, true}); }

/// The time up to which the ring is complete.
std::int64_t LiveMerge::reachOf(Stream& stream, std::int64_t now) const {
    const auto accepted = stream.ring->accepted();
    if (accepted != stream.accepted) {
        stream.accepted = accepted;
        stream.changedAt = now;
    }
    const auto newest = stream.ring->newestTicks().value_or(std::numeric_limits<std::int64_t>::min());
    if (now - stream.changedAt < patience_) return newest;
    return std::max(newest, now - patience_);
}

void LiveMerge::look(std::int64_t now) {
    if (isFinished_) return;
    auto until = kEver;
    bool isPressed = false;
    for (auto& stream : streams_) {
        if (!stream.isSeldom || stream.ring->accepted() > 0) until = std::min(until, reachOf(stream, now));
        isPressed = isPressed || stream.ring->bytesUsed() >= stream.ring->bytesTotal() / 2;
    }
    reached_ = std::max(reached_, until);
    dueUntil_ = isPressed ? kEver : reached_;
}

void LiveMerge::finish() {
    isFinished_ = true;
    dueUntil_ = kEver;
}

LiveRing* LiveMerge::next() {
    const Stream* earliest = nullptr;
    auto ticks = kEver;
    for (const auto& stream : streams_) {
        const auto head = stream.ring->headTicks();
        if (!head || (earliest != nullptr && *head >= ticks)) continue;
        ticks = *head;
        earliest = &stream;
    }
    if (earliest == nullptr || ticks > dueUntil_) return nullptr;
    if (ticks < newestGiven_ && !earliest->isSeldom) ++late_;
    newestGiven_ = std::max(newestGiven_, ticks);
    return earliest->ring;
}

} // namespace highwater::source
