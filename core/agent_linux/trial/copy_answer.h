#pragma once

#include <cstdint>

/// The file of a process copy: a small file of the requester. The requester, the copy, and the tracer that stopped the
/// threads each write a part of it. The agent, core/source/attach and core/source/agent share this description.
namespace highwater::agent {

inline constexpr std::uint64_t kCopyMagic = 0x3159504F43574848ull; ///< first word of the file; the requester writes it
inline constexpr char kCopyName[] = "highwater-copy";              ///< of the process, in /proc/PID/comm
inline constexpr long kCopySeconds = 600;                          ///< the most that a copy lives
inline constexpr std::uint64_t kMostCopiedThreads = 8192;

enum class CopyState : std::uint64_t {
    Waiting = 0,   ///< written by the requester; the copy has not started yet
    Ready = 1,     ///< the copy can be read
    Unlimited = 2, ///< the copy could not limit its own time, and has ended
};

/// How the threads were stopped.
struct CopyStop {
    std::uint64_t instantNs = 0;     ///< by CLOCK_MONOTONIC, when all threads had stopped
    std::uint64_t unreadThreads = 0; ///< threads that did not stop
    std::uint64_t threads = 0;       ///< records after CopyAnswer
};

/// The start of the file.
struct CopyAnswer {
    // Written by the requester. It holds a lock (flock) on the file, and the copy ends when it gets that lock.
    std::uint64_t magic = kCopyMagic;
    std::uint64_t requester = 0; ///< pid of the process that may read the copy
    // Written by the copy.
    CopyState state = CopyState::Waiting;
    // Written by the tracer, before it reports the copy.
    CopyStop stop = {};
};

/// A thread, after CopyAnswer.
struct CopyThreadRecord {
    std::uint64_t tid = 0;
    std::uint64_t instruction = 0;
    std::uint64_t threadPointer = 0;
    std::uint64_t registers[16] = {}; ///< in the order of DWARF
};

/// Results of functions of the agent that make a copy, other than its pid, which is positive, and negative errors of
/// the system, which are above -4096.
enum class CopyRefusal : int {
    NoFile = -5000,     ///< the process cannot open the file of the requester
    Restricted = -5001, ///< system call filters (seccomp) may forbid the calls
    Adopting = -5002,   ///< the process would become the parent of the copy: it adopts orphans of its descendants
};

} // namespace highwater::agent
