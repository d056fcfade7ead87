#pragma once

#include <cstdint>

namespace highwater::agent {

/// Whether a frame of the agent on this thread, with the stack pointer `marker`, has certainly ended without notice:
/// through a jump out of a signal handler, an exception or the end of the thread.
///
/// The frame has ended if the frame of another function now covers its address. It has also ended if its address and
/// the current stack pointer are both in the stack that the system gave the thread, and the stack pointer is further
/// out. It is never considered ended while it may continue: under a signal handler, or in a context that the program
/// switched away from. On a stack that the program created itself, only the first case can be detected, by one of the
/// next calls.
///
/// `hookEnd`: the end of the calling hook's frame, which no older frame can be inside of.
///
/// Some microseconds; no lock, no allocation. May be called in a signal handler that interrupted that very frame.
[[nodiscard]] bool isFrameAbandoned(std::uint64_t marker, std::uint64_t hookEnd);

} // namespace highwater::agent
