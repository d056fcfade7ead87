#pragma once

#include "core/event/copied_thread.h"
#include "core/event/resident_sample.h"
#include "core/references/process_memory.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace highwater::references {

/// The name of the frame that the system puts below a signal handler, as debuggers call it.
inline constexpr const char* kSignalFrame = "<signal handler called>";

/// Words in which a function has saved a register belong to the next caller that uses the register itself: the value is
/// that of this caller.
struct StackFrames {
    std::vector<Variable> frames; ///< of each thread the innermost first
    std::vector<Variable> saved;  ///< such words in these frames, as parts of the frame of that caller

    [[nodiscard]] std::vector<Variable> all() && {
        std::ranges::move(saved, std::back_inserter(frames));
        return std::move(frames);
    }
};

/// Walks the stacks of the threads by the call frame information in their modules (.eh_frame_hdr), and, through code
/// without any, by frame pointers. A walk ends at a frame whose caller it cannot find, or after 65,536 frames.
///
/// The frames are the memory of each frame in a module, from its stack pointer to that of its caller, as a variable of
/// kind Stack: `code` is an instruction of its function, and its name is the place where the description of the
/// function begins, "libapp.so!+0x1234", or kSignalFrame. Time: functions x log(functions of their modules), and
/// frames. Any thread.
[[nodiscard]] StackFrames findStackFrames(const ResidentSample& mappings, std::span<const CopiedThread> threads,
                                          const ReadMemory& read);

} // namespace highwater::references
