#pragma once

#include <cstdint>

namespace highwater::agent {

/// Whether a frame of the agent on this thread, whose stack pointer was `marker`, is gone for certain: it was left by a
/// jump out of a signal handler, by an exception or by the end of the thread, so that nothing says that it has ended.
///
/// It is gone if another function's frame covers its place now. It is gone, too, if the stack that the system gave the
/// thread holds both its place and the stack pointer, and the latter is further out. It is never taken for gone as long
/// as it may go on: under a signal handler, or in a context that the program switched away from. For a place on a stack
/// that the program made itself, only the first can be found, with one of the next calls.
///
/// `hookEnd`: where the frame of the hook that asks ends, which nothing older can lie in.
///
/// Some microseconds; no lock, no allocation. May be called in a signal handler that interrupted that very frame.
[[nodiscard]] bool isFrameAbandoned(std::uint64_t marker, std::uint64_t hookEnd);

} // namespace highwater::agent
