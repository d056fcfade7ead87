#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <optional>

namespace highwater::source {

/// How much memory a process has at one moment.
struct ProcessMemory {
    ByteCount privateBytes = 0; ///< that nobody shares with it: Windows' private bytes, Linux' resident anonymous pages
    ByteCount residentBytes = 0; ///< in RAM, shared or not
};

/// None: it has ended, or nothing is told of it. Some microseconds; any thread.
[[nodiscard]] std::optional<ProcessMemory> memoryOf(std::uint32_t pid);

} // namespace highwater::source
