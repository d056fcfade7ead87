#include "core/source/agent/agent_merge_linux.h"

#include <algorithm>

namespace highwater::source {

void AgentMerge::put(AgentRingReader& ring) {
    const auto tick = ring.headTick();
    if (!tick || *tick >= untilTick_) return;
    heads_.push_back({*tick, &ring});
    std::push_heap(heads_.begin(), heads_.end());
}

void AgentMerge::begin(const std::vector<std::unique_ptr<AgentRingReader>>& rings, std::uint64_t untilTick) {
    heads_.clear();
    current_ = nullptr;
    untilTick_ = untilTick;
    for (const auto& ring : rings)
        put(*ring);
}

AgentRingReader* AgentMerge::next(std::uint64_t& limitTick) {
    if (current_ != nullptr) put(*current_);
    current_ = nullptr;
    if (heads_.empty()) return nullptr;
    std::pop_heap(heads_.begin(), heads_.end());
    current_ = heads_.back().ring;
    heads_.pop_back();
    limitTick = heads_.empty() ? untilTick_ : heads_.front().tick;
    return current_;
}

} // namespace highwater::source
