#pragma once

#include <cstdint>

namespace highwater::agent {

/// How to get from a place in the code to its caller, as the compiler's call frame information says it: a small
/// value that is kept for every place that was met. Registers: the stack pointer and rbp, as x86-64 code uses them.
struct FrameRule {
    enum class Kind : std::uint8_t {
        None = 0,          ///< not looked up yet
        StackPointer = 1,  ///< frame address = stack pointer + frameOffset
        FramePointer = 2,  ///< frame address = rbp + frameOffset
        AtFramePointer = 3,///< frame address is stored at rbp + frameOffset (functions that align their stack)
        End = 4,           ///< the outermost frame
        SignalFrame = 5,   ///< the kernel's, below a signal handler
        Guess = 6,         ///< no information (generated code): follow the chain of frame pointers
        Stop = 7,          ///< information that only an interpreter for DWARF expressions understands
    };
    Kind kind = Kind::None;
    std::int32_t frameOffset = 0;
    /// Where the caller's rbp lies, below the frame address, in bytes (16: the usual push). 0: rbp was not changed.
    std::int32_t savedBelow = 0;
};

/// Reads the call frame information of the module that holds `place`. Slow (about a microsecond); no lock, no allocation,
/// no call into libc but _dl_find_object. Any thread, also in a signal handler.
[[nodiscard]] FrameRule readFrameRule(std::uint64_t place);

/// The same through a table of the whole process, which readers and writers use without lock.
[[nodiscard]] FrameRule frameRuleAt(std::uint64_t place);
/// The code at some places is no longer what it was.
void forgetFrameRules();

} // namespace highwater::agent
