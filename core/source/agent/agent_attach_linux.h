#pragma once

#include "core/source/agent/agent_launch_linux.h"
#include "core/source/attach/agent_loading_linux.h"

#include <cstdint>
#include <stop_token>

namespace highwater::source {

/// Loads the agent into a running process by having one of its threads call dlopen, and makes it write to the
/// channel. That thread is stopped for some milliseconds while the others continue. The code stays in the process
/// permanently, but is inactive after the recording is stopped or this program ends.
///
/// A separate program (highwater-attach, next to the agent's library) does the work, so that this program may end or
/// be killed at any time: the loader then restores the process. On systems where only ancestors may trace a process,
/// this program does the work itself, and only through a thread that is waiting.
///
/// Fails like checkAttachable, and also if the system does not permit tracing, if the process does not reach a suitable
/// point within some seconds, or if a stop is requested (Cancelled). Nothing was changed then. Blocks; any thread.
[[nodiscard]] Result<AgentTarget> attachAgent(const AgentChannel& channel, std::uint32_t pid,
                                              const std::stop_token& stop = {});

/// Has a thread of the process call a function of the agent; see loadAgent. Works and fails as above, for any process.
[[nodiscard]] Result<int> callAgent(const AgentLoad& load, const std::stop_token& stop = {});

} // namespace highwater::source
