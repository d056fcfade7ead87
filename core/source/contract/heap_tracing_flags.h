#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace highwater::source {

/// Windows can flag a program by name so that its heaps are traced from its start (the value TracingFlags under Image
/// File Execution Options). A flag applies to all users until it is removed, so flagged programs are worth listing. Any
/// thread; milliseconds.

/// Whether this system has such flags.
[[nodiscard]] bool hasHeapTracingFlags();

struct FlaggedProgram {
    std::string name;         ///< file name: "notepad.exe"
    bool isRecording = false; ///< a running Highwater set the flag and will remove it
};
/// All flagged programs, no matter who set the flag.
[[nodiscard]] std::vector<FlaggedProgram> programsWithHeapTracing();

/// Removes the flag. Requires administrator rights.
[[nodiscard]] Result<void> clearHeapTracing(const std::string& program);

} // namespace highwater::source
