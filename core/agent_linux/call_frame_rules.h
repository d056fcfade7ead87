#pragma once

#include <atomic>
#include <cstdint>

namespace highwater::agent {

/// How to get from a place in the code to its caller, as the compiler's call frame information says it: a small
/// value that is kept for every place that was met. Registers: the stack pointer and rbp, as x86-64 code uses them.
struct FrameRule {
    enum class Kind : std::uint8_t {
        None = 0,           ///< not looked up yet
        StackPointer = 1,   ///< frame address = stack pointer + frameOffset
        FramePointer = 2,   ///< frame address = rbp + frameOffset
        AtFramePointer = 3, ///< frame address is stored at rbp + frameOffset (functions that align their stack)
        End = 4,            ///< the outermost frame
        SignalFrame = 5,    ///< the kernel's, below a signal handler
        Guess = 6,          ///< no information (generated code): follow the chain of frame pointers
        Stop = 7,           ///< information that only an interpreter for DWARF expressions understands
    };
    Kind kind = Kind::None;
    std::int32_t frameOffset = 0;
    /// Where the caller's rbp lies, below the frame address, in bytes (16: the usual push). 0: rbp was not changed.
    std::int32_t savedBelow = 0;

    friend bool operator==(const FrameRule&, const FrameRule&) = default;
};
/// The rule of a place where no code lies.
inline constexpr FrameRule kNoCode{FrameRule::Kind::Stop, 1, 0};

/// Reads the call frame information of the module that holds `place`. Slow (about a microsecond); no lock, no
/// allocation, no call into libc but _dl_find_object. Any thread, also in a signal handler.
[[nodiscard]] FrameRule readFrameRule(std::uint64_t place);

/// The rules of places that were met, for the whole process: readers and writers use it without lock, and newer places
/// displace older ones. One word holds a place and its rule, so that a reader never sees half of one: the place is
/// hashed in a way that can be undone, the lowest bits of the hash are the index, the others are kept beside the rule.
///
///     63            33 32  30 29                  10 9            0
///     | rest of hash  | kind | frameOffset (signed) | savedBelow/8 |
class FrameRuleTable {
  public:
    [[nodiscard]] FrameRule at(std::uint64_t place) {
        const std::uint64_t hash = hashOf(place);
        const std::uint64_t word = words_[hash & (kSize - 1)].load(std::memory_order_relaxed);
        const auto kind = static_cast<FrameRule::Kind>(word >> 30 & 7);
        if (word >> 33 != hash >> kIndexBits || kind == FrameRule::Kind::None) [[unlikely]]
            return learn(place, hash);
        return {kind, static_cast<std::int32_t>(static_cast<std::uint32_t>(word >> 10) << 12) >> 12,
                static_cast<std::int32_t>(word & 0x3FF) * 8};
    }
    /// The code at some places is no longer what it was.
    void forget();

  private:
    static constexpr unsigned kIndexBits = 16;
    static constexpr unsigned kPlaceBits = 47; // user space
    static constexpr std::uint64_t kSize = std::uint64_t{1} << kIndexBits;
    static constexpr std::uint64_t kPlaceMask = (std::uint64_t{1} << kPlaceBits) - 1;

    [[nodiscard]] static std::uint64_t hashOf(std::uint64_t place) {
        const std::uint64_t hash = (place * 0x9E3779B97F4A7C15ull) & kPlaceMask; // odd: a permutation of 47-bit numbers
        return hash ^ hash >> 24;
    }
    [[nodiscard]] FrameRule learn(std::uint64_t place, std::uint64_t hash);

    std::atomic<std::uint64_t> words_[kSize];
};
extern FrameRuleTable frameRules;

} // namespace highwater::agent
