#pragma once

#include "core/source/agent_launch_linux.h"

#include <cstdint>

namespace highwater::source {

/// Whether the agent can be loaded into a running process by this one. The error is a sentence for the user: the process
/// is gone, another one's, a 32-bit or static program, in another container, or traced already. Any thread.
[[nodiscard]] Result<void> checkAttachable(std::uint32_t pid);

/// Loads the agent into a running process, through a call of dlopen by one of its threads, and has it write to the
/// channel. That thread stands still for some milliseconds, the others run on. The code stays in the process for good;
/// when the recording is stopped, or this program ends, it goes quiet.
///
/// Errors as checkAttachable; also when the system does not permit it, or the process does not come to a place where it
/// can be done within some seconds: then nothing was changed. Blocks; any thread.
[[nodiscard]] Result<AgentTarget> attachAgent(const AgentChannel& channel, std::uint32_t pid);

} // namespace highwater::source
