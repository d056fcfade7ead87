#pragma once

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/source/contract/process_memory.h"

#include <cstdint>
#include <string>

namespace highwater::source {

enum class AgentFunction : std::uint8_t;

/// The most memory that a copy of a process may need while it lives for this time: its page tables, and each page to
/// which the process can write meanwhile.
[[nodiscard]] ByteCount copyNeeds(ByteCount anonymousBytes, unsigned processors, unsigned seconds);

/// "redis-server (1234)"
[[nodiscard]] std::string titleOf(std::uint32_t pid);

/// Checks whether a running process can be copied for `function`: as checkAttachable, and whether enough memory is free
/// for a copy that lives for this time. Returns the memory of the process. Some milliseconds; any thread.
[[nodiscard]] Result<ProcessMemory> checkCopyable(std::uint32_t pid, AgentFunction function, unsigned seconds);

} // namespace highwater::source
