#pragma once

#include "core/agent_linux/call_frame_entry.h"

#include <atomic>
#include <cstdint>

namespace highwater::agent {

/// The rule of an address without code.
inline constexpr FrameRule kNoCode{FrameRule::Kind::Stop, 1, 0};

/// Reads the call frame information of the module that contains `place`. Slow (about a microsecond); no lock, no
/// allocation, no libc call except _dl_find_object. Any thread, also in a signal handler.
[[nodiscard]] FrameRule readFrameRule(std::uint64_t place);

/// A cache of rules for the whole process, by code address. Readers and writers are lock-free, and newer addresses
/// replace older ones. One word contains an address and its rule, so that a reader never sees a half-written entry: the
/// lowest bits of the address, mixed with the next ones, are the index, and the others are stored with the rule. Each
/// step of a walk waits for the previous rule, so the index must be cheap to compute. Neighboring addresses in the
/// code, which are used together, are also neighbors here.
///
///     63             33 32  30 29                  10 9            0
///     | place >> 16    | kind | frameOffset (signed) | savedBelow/8 |
class FrameRuleTable {
  public:
    [[nodiscard]] FrameRule at(std::uint64_t place) {
        const std::uint64_t word = words_[indexOf(place)].load(std::memory_order_relaxed);
        const auto kind = static_cast<FrameRule::Kind>(word >> 30 & 7);
        if (word >> 33 != place >> kIndexBits || kind == FrameRule::Kind::None) [[unlikely]]
            return learn(place);
        return {kind, static_cast<std::int32_t>(static_cast<std::uint32_t>(word >> 10) << 12) >> 12,
                static_cast<std::int32_t>(word & 0x3FF) * 8};
    }
    /// Fast path for the most frequent kind of rule: frame address relative to the stack pointer, with the place of rbp
    /// if it was saved. False: another kind of rule, or not cached.
    [[nodiscard]] bool aboveStackPointer(std::uint64_t place, std::uint64_t& frameOffset,
                                         std::uint64_t& savedBelow) const {
        const std::uint64_t word = words_[indexOf(place)].load(std::memory_order_relaxed);
        constexpr auto kWanted = static_cast<std::uint64_t>(FrameRule::Kind::StackPointer);
        if (word >> 30 != (place >> kIndexBits << 3 | kWanted)) return false;
        frameOffset = static_cast<std::uint64_t>(static_cast<std::int64_t>(word << 34) >> 44);
        savedBelow = (word & 0x3FF) * 8;
        return true;
    }
    /// Clears the cache after code was replaced.
    void forget();

  private:
    static constexpr unsigned kIndexBits = 16;
    static constexpr unsigned kPlaceBits = 47; // user space
    static constexpr std::uint64_t kSize = std::uint64_t{1} << kIndexBits;
    static constexpr std::uint64_t kPlaceMask = (std::uint64_t{1} << kPlaceBits) - 1;

    [[nodiscard]] static std::uint64_t indexOf(std::uint64_t place) {
        return (place ^ place >> kIndexBits) & (kSize - 1);
    }
    [[nodiscard]] FrameRule learn(std::uint64_t place);

    std::atomic<std::uint64_t> words_[kSize];
};
extern FrameRuleTable frameRules;

} // namespace highwater::agent
