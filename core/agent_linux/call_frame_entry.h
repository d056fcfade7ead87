#pragma once

#include "core/agent_linux/call_frame_program.h"

#include <cstdint>

namespace highwater::agent {

/// The steps from a code address to its caller, derived from the compiler's call frame information. A small value,
/// cached for every address seen. Uses the stack pointer and rbp, like x86-64 code.
struct FrameRule {
    enum class Kind : std::uint8_t {
        None = 0,           ///< not looked up yet
        StackPointer = 1,   ///< frame address = stack pointer + frameOffset
        FramePointer = 2,   ///< frame address = rbp + frameOffset
        AtFramePointer = 3, ///< frame address is stored at rbp + frameOffset (functions that align their stack)
        End = 4,            ///< the outermost frame
        SignalFrame = 5,    ///< the kernel's frame, below a signal handler
        Guess = 6,          ///< no information (generated code): follow the chain of frame pointers
        Stop = 7,           ///< requires an interpreter for DWARF expressions, which does not exist here
    };
    Kind kind = Kind::None;
    std::int32_t frameOffset = 0;
    /// Distance of the caller's saved rbp below the frame address, in bytes (16: the usual push). 0: rbp is unchanged.
    std::int32_t savedBelow = 0;

    friend bool operator==(const FrameRule&, const FrameRule&) = default;
};

/// The description of one function.
struct FrameEntry {
    FrameCommon common;
    FrameRow initial;
    FrameBytes program{nullptr, nullptr};
    std::uint64_t start = 0;
    std::uint64_t bytes = 0;
};

/// The parts of .eh_frame. Bodies are behind the length of an entry, that of a function behind the pointer to its
/// common entry. At least kFrameSlack readable bytes follow the end of a body. False: not supported.
inline constexpr unsigned kFrameSlack = 16;
[[nodiscard]] bool readCommonEntry(FrameBytes body, FrameEntry& entry);
[[nodiscard]] bool readFunctionEntry(FrameBytes body, FrameEntry& entry);
/// Of an address in the function. `row`: of a frame that is not of a signal and not Kind::Stop.
[[nodiscard]] FrameRule frameRuleAt(const FrameEntry& entry, std::uint64_t place, FrameRow& row);

} // namespace highwater::agent
