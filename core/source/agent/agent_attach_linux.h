#pragma once

#include "core/source/agent/agent_launch_linux.h"
#include "core/source/attach/agent_loading_linux.h"

#include <cstdint>
#include <stop_token>

namespace highwater::source {

/// Loads the agent into a running process, through a call of dlopen by one of its threads, and has it write to the
/// channel. That thread stands still for some milliseconds, the others run on. The code stays in the process for good;
/// when the recording is stopped, or this program ends, it goes quiet.
///
/// A program of its own does it (highwater-attach, beside the agent's library), so that this one may end, or be killed,
/// at any time: that program then lets the process go as it was. Where the system permits only forefathers of a process
/// to look into it, this one does it, with a thread that waits for something or not at all.
///
/// Errors as checkAttachable; also when the system does not permit it, or the process does not come to a place where it
/// can be done within some seconds, or somebody says stop (Cancelled): then nothing was changed. Blocks; any thread.
[[nodiscard]] Result<AgentTarget> attachAgent(const AgentChannel& channel, std::uint32_t pid,
                                              const std::stop_token& stop = {});

} // namespace highwater::source
