#include "core/agent_linux/call_frame_rules.h"

#include "core/agent_linux/executable_memory.h"

namespace highwater::agent {

FrameRuleTable frameRules;

FrameRule FrameRuleTable::learn(std::uint64_t place, std::uint64_t hash) {
    if (place > kPlaceMask) return kNoCode;
    const FrameRule rule = readFrameRule(place);
    // Not kept: code may come to lie there.
    if (rule.kind == FrameRule::Kind::Guess && !executableMemory.contains(place)) return kNoCode;
    const bool fits = rule.frameOffset >= -(1 << 19) && rule.frameOffset < 1 << 19 && rule.savedBelow >= 0 &&
                      rule.savedBelow < 1024 * 8 && rule.savedBelow % 8 == 0;
    if (fits) // else it is read again each time: a frame of more than half a megabyte
        words_[hash & (kSize - 1)].store(hash >> kIndexBits << 33 | static_cast<std::uint64_t>(rule.kind) << 30 |
                                             (static_cast<std::uint64_t>(rule.frameOffset) & 0xFFFFF) << 10 |
                                             static_cast<std::uint64_t>(rule.savedBelow / 8),
                                         std::memory_order_relaxed);
    return rule;
}

void FrameRuleTable::forget() {
    for (auto& word : words_)
        word.store(0, std::memory_order_relaxed);
}

} // namespace highwater::agent
