#pragma once

#include "core/base/result.h"
#include "core/source/generated_code/process_facts_linux.h"

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>

namespace highwater::source {

/// Asks a Java virtual machine (HotSpot 17 or newer) to write its perf map, like `jcmd PID Compiler.perfmap`: through
/// its socket, after a signal if the socket does not exist yet. The signal is sent only if the machine handles it.
/// Errors contain the reason as the end of a sentence. Blocks at most `within`, and returns early on a stop request.
[[nodiscard]] Result<void> askHotSpotForPerfMap(std::uint32_t pid, const ProcessFacts& facts,
                                                std::chrono::milliseconds within, const std::stop_token& stop);

/// Whether the options in a command line or environment make HotSpot keep frame pointers; each word ends with a NUL.
[[nodiscard]] bool keepsFramePointers(const std::string& commandLine, const std::string& environment);
/// The same for a running process; true if it cannot be determined.
[[nodiscard]] bool keepsFramePointers(std::uint32_t pid);

} // namespace highwater::source
