#pragma once

#include "core/base/units.h"

#include <array>
#include <cstdint>
#include <string>

namespace highwater {

/// A thread of a process at the instant of its copy.
struct CopiedThread {
    std::uint32_t tid = 0;
    std::string name;
    Address instruction = 0;
    Address stackPointer = 0;
    Address threadPointer = 0; ///< start of its thread control block; static thread-local data is below it. 0: unknown
    Address environmentBlock = 0; ///< of Windows (TEB), which refers to its thread-local data. 0: there is none
    std::array<std::uint64_t, 16> registers{}; ///< general registers, in the order of DWARF
};

} // namespace highwater
