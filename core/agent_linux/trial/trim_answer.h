#pragma once

#include "core/event/trial/allocator_numbers.h"

#include <cstdint>

/// The answer of a trial of malloc_trim: a small file of the requester, which a copy of the process writes. The agent
/// and core/source/agent/trim_copy_linux share this description.
namespace highwater::agent {

inline constexpr std::uint64_t kTrimMagic = 0x324D525448574841ull; ///< first word of the file; the requester writes it

enum class TrimState : std::uint64_t {
    Waiting = 0,    ///< written by the requester; the copy has not started yet
    Trying = 1,     ///< the copy is at work
    Trimmed = 2,    ///< both numbers are valid; other allocators are being asked
    Finished = 3,   ///< everything is valid
    Unreadable = 4, ///< the copy could not read its own resident memory
    Unlimited = 5,  ///< the copy could not limit its own time, and did not try
};

enum class AllocatorState : std::uint64_t {
    Absent = 0,    ///< the process has no such function
    Counting = 1,  ///< it is being asked for its numbers
    Releasing = 2, ///< the numbers are valid; it is giving back its free memory
    Released = 3,  ///< both amounts are valid, too
    Kept = 4,      ///< the numbers are valid; it offers no call that gives back memory, or refused it
};

struct AllocatorAnswer {
    AllocatorState state = AllocatorState::Absent;
    std::uint64_t known = 0; ///< which numbers it gave: bits by AllocatorNumber
    std::uint64_t numbers[kAllocatorNumbers] = {};
    std::uint64_t before = 0; ///< resident anonymous bytes of the copy
    std::uint64_t after = 0;  ///< the same after it gave back its free memory
};

struct TrimAnswer {
    std::uint64_t magic = kTrimMagic;
    TrimState state = TrimState::Waiting; ///< written after the numbers
    std::uint64_t before = 0;             ///< resident anonymous bytes of the copy
    std::uint64_t after = 0;              ///< the same after malloc_trim
    AllocatorAnswer allocators[kOtherAllocators] = {};
};

} // namespace highwater::agent
