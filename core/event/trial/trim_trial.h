#pragma once

#include "core/base/units.h"
#include "core/event/trial/allocator_numbers.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace highwater {

/// The answers of an allocator other than glibc's in a copy of a process, and the memory that it returned. All numbers
/// are the allocator's own claims, except `tried`.
struct AllocatorTrial {
    enum class End : std::uint8_t {
        Answered,
        TooLate, ///< the copy was killed because of its limit of time
        Failed,  ///< it ended the copy by a fault, or the copy could not measure
    };

    OtherAllocator allocator = OtherAllocator::Jemalloc;
    std::array<std::optional<std::uint64_t>, kAllocatorNumbers> numbers = {}; ///< nothing: it does not offer this one
    /// By which the resident memory of the copy fell; nothing: it offers no call for that, or the trial failed before.
    std::optional<ByteCount> tried = {};
    End end = End::Answered;

    [[nodiscard]] const std::optional<std::uint64_t>& operator[](AllocatorNumber number) const {
        return numbers[static_cast<std::size_t>(number)];
    }
};

/// The memory that glibc's malloc_trim(0) would return to the system, as measured in a copy of a process.
struct TrimTrial {
    std::string process;    ///< "name (pid)"
    ByteCount resident = 0; ///< Rss of the process before
    ByteCount tried = 0;    ///< by which the resident memory of the copy fell
    std::vector<AllocatorTrial> allocators =
        {}; ///< others than glibc's in this process; what they give back is in addition
};

} // namespace highwater
