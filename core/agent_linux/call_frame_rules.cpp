#include "core/agent_linux/call_frame_rules.h"

#include "core/agent_linux/executable_memory.h"
#include "core/agent_linux/system_calls.h"

#include <optional>

namespace highwater::agent {

FrameRuleTable frameRules;

namespace {

constexpr std::uint64_t kPage = 4096;

/// Code without a description that returns right after its call (trampolines, such as CPython's) shows the size of its
/// frame and whether it keeps a frame pointer: optional "add rsp, N", optional "pop rbp", "ret".
std::optional<FrameRule> ruleBehindCall(std::uint64_t returnAddress) {
    constexpr std::uint64_t kMostBytes = 6;
    if (!isPageReadable(returnAddress & ~(kPage - 1)) || !isPageReadable((returnAddress + kMostBytes) & ~(kPage - 1)))
        return std::nullopt;
    const auto* at = reinterpret_cast<const std::uint8_t*>(returnAddress);
    FrameRule rule{FrameRule::Kind::StackPointer, 8, 0};
    if (at[0] == 0x48 && at[1] == 0x83 && at[2] == 0xC4 && at[3] < 0x80) {
        rule.frameOffset += at[3];
        at += 4;
    }
    if (*at == 0x5D) {
        rule.frameOffset += 8;
        rule.savedBelow = 16;
        ++at;
    }
    return *at == 0xC3 ? std::optional(rule) : std::nullopt;
}

} // namespace

FrameRule FrameRuleTable::learn(std::uint64_t place) {
    if (place > kPlaceMask) return kNoCode;
    FrameRule rule = readFrameRule(place);
    if (rule.kind == FrameRule::Kind::Guess) {
        if (!executableMemory.contains(place)) return kNoCode; // not cached, because code may be mapped there later
        rule = ruleBehindCall(place + 1).value_or(rule);
    }
    const bool fits = rule.frameOffset >= -(1 << 19) && rule.frameOffset < 1 << 19 && rule.savedBelow >= 0 &&
                      rule.savedBelow < 1024 * 8 && rule.savedBelow % 8 == 0;
    if (fits) // otherwise it is read each time: a frame of more than half a megabyte
        words_[indexOf(place)].store(place >> kIndexBits << 33 | static_cast<std::uint64_t>(rule.kind) << 30 |
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
