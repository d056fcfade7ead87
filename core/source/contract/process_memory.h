#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <optional>

namespace highwater::source {

/// Memory usage of a process at one moment.
struct ProcessMemory {
    ByteCount privateBytes = 0;  ///< not shared: private bytes on Windows, resident anonymous pages on Linux
    ByteCount residentBytes = 0; ///< in RAM, shared or not
};

/// Nothing if the process has ended or its memory is not accessible. Some microseconds; any thread.
[[nodiscard]] std::optional<ProcessMemory> memoryOf(std::uint32_t pid);

} // namespace highwater::source
