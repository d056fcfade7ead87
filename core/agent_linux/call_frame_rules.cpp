#include "core/agent_linux/call_frame_rules.h"

#include "core/agent_linux/call_frame_program.h"

#include <atomic>
#include <cstring>

namespace highwater::agent {

namespace {

// One word holds the place and its rule, so that a reader never sees half of one: the place is hashed in a way that can
// be undone, the lowest bits of the hash are the index in the table, and the others are kept beside the rule.
//
//     63          33 32    30 29                 10 9          0
//     | hash, rest  | kind   | frameOffset (signed) | savedBelow / 8 |
constexpr unsigned kIndexBits = 16;
constexpr unsigned kPlaceBits = 47; // user space
constexpr std::uint64_t kPlaceMask = (std::uint64_t{1} << kPlaceBits) - 1;
std::atomic<std::uint64_t> table[std::size_t{1} << kIndexBits];

std::uint64_t hashOf(std::uint64_t place) {
    std::uint64_t hash = (place * 0x9E3779B97F4A7C15ull) & kPlaceMask; // odd: a permutation of 47-bit numbers
    return hash ^ hash >> 24;
}

bool fits(const FrameRule& rule) {
    return rule.frameOffset >= -(1 << 19) && rule.frameOffset < 1 << 19 && rule.savedBelow >= 0 &&
           rule.savedBelow < 1024 * 8 && rule.savedBelow % 8 == 0;
}

std::uint64_t packed(std::uint64_t hash, const FrameRule& rule) {
    return hash >> kIndexBits << 33 | static_cast<std::uint64_t>(rule.kind) << 30 |
           (static_cast<std::uint64_t>(rule.frameOffset) & 0xFFFFF) << 10 | static_cast<std::uint64_t>(rule.savedBelow / 8);
}

FrameRule unpacked(std::uint64_t word) {
    FrameRule rule;
    rule.kind = static_cast<FrameRule::Kind>(word >> 30 & 7);
    rule.frameOffset = static_cast<std::int32_t>(static_cast<std::uint32_t>(word >> 10) << 12) >> 12;
    rule.savedBelow = static_cast<std::int32_t>(word & 0x3FF) * 8;
    return rule;
}

} // namespace

FrameRule frameRuleAt(std::uint64_t place) {
    if (place > kPlaceMask) return {FrameRule::Kind::Stop, 0, 0};
    const std::uint64_t hash = hashOf(place);
    std::atomic<std::uint64_t>& entry = table[hash & ((1u << kIndexBits) - 1)];
    const std::uint64_t word = entry.load(std::memory_order_relaxed);
    if (word != 0 && word >> 33 == hash >> kIndexBits && (word >> 30 & 7) != 0) [[likely]]
        return unpacked(word);
    const FrameRule rule = readFrameRule(place);
    if (fits(rule)) entry.store(packed(hash, rule), std::memory_order_relaxed);
    return rule;
}

void forgetFrameRules() {
    for (auto& entry : table)
        entry.store(0, std::memory_order_relaxed);
}

} // namespace highwater::agent
