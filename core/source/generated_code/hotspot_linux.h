#pragma once

#include "core/base/result.h"
#include "core/source/generated_code/process_facts_linux.h"

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>

namespace highwater::source {

/// Asks a Java virtual machine (HotSpot 17 or newer) to write its perf map, as `jcmd PID Compiler.perfmap` does:
/// through the socket that it offers, after a signal where it does not yet. The signal is sent only to one that handles
/// it. Errors say why it did not, as the end of a sentence. Blocks at most `within`, and not when somebody says stop.
[[nodiscard]] Result<void> askHotSpotForPerfMap(std::uint32_t pid, const ProcessFacts& facts,
                                                std::chrono::milliseconds within, const std::stop_token& stop);

/// Whether the options of a command line, or of the environment, make HotSpot keep frame pointers; its words each with
/// a NUL behind it.
[[nodiscard]] bool keepsFramePointers(const std::string& commandLine, const std::string& environment);
/// The same for a process that runs; true where it cannot be told.
[[nodiscard]] bool keepsFramePointers(std::uint32_t pid);

} // namespace highwater::source
