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
/// displace older ones. One word holds a place and its rule, so that a reader never sees half of one: the lowest bits
/// of the place, mixed with the next ones, are the index, and the others are kept beside the rule. Each step of a walk
/// waits for the rule of the one before, so that the index has to be had at once; and places that lie together in the
/// code, which are needed together, lie together here, too.
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
    /// Most rules by far say that the frame lies so many bytes above the stack pointer, and where rbp was saved, if it
    /// was: these without more ado. False: another rule, or none that is known.
    [[nodiscard]] bool aboveStackPointer(std::uint64_t place, std::uint64_t& frameOffset,
                                         std::uint64_t& savedBelow) const {
        const std::uint64_t word = words_[indexOf(place)].load(std::memory_order_relaxed);
        constexpr auto kWanted = static_cast<std::uint64_t>(FrameRule::Kind::StackPointer);
        if (word >> 30 != (place >> kIndexBits << 3 | kWanted)) return false;
        frameOffset = static_cast<std::uint64_t>(static_cast<std::int64_t>(word << 34) >> 44);
        savedBelow = (word & 0x3FF) * 8;
        return true;
    }
    /// The code at some places is no longer what it was.
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
