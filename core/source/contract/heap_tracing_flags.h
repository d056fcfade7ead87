#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace highwater::source {

/// Windows keeps, by the name of a program, that its heaps are to be traced from its start on (the value TracingFlags
/// under Image File Execution Options). It holds for all users until somebody takes it back, so what is flagged is
/// worth a look. Any thread; milliseconds.

/// This system has such flags.
[[nodiscard]] bool hasHeapTracingFlags();

struct FlaggedProgram {
    std::string name;         ///< of its file: "notepad.exe"
    bool isRecording = false; ///< by a Highwater that runs now, which takes the flag back itself
};
/// All programs that have the flag, whoever has set it.
[[nodiscard]] std::vector<FlaggedProgram> programsWithHeapTracing();

/// Takes the flag back. Changing it needs the rights of an administrator.
[[nodiscard]] Result<void> clearHeapTracing(const std::string& program);

} // namespace highwater::source
