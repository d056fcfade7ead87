#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <string>

namespace highwater::source {

/// Whether the agent can be loaded into a running process by this one. The error is a sentence for the user: the
/// process is gone, another one's, a 32-bit or static program, in another container, or traced already. Any thread.
[[nodiscard]] Result<void> checkAttachable(std::uint32_t pid);

/// What to load into a running process.
struct AgentLoad {
    std::uint32_t pid = 0;
    std::string library; ///< the agent's
    std::string channel; ///< the file of the channel, as the process can open it
    /// False: only a thread that waits for something is taken. It can be left alone at any time, which one that was let
    /// run to an allocation cannot: for whoever may be killed in the midst of it.
    bool mayRunThreads = true;
};

/// Loads the agent, through a call of dlopen by one of the threads of the process, and has it write to the channel.
/// When `isWanted` says no, the process is let go as it was found; a call that is under way then is waited for.
///
/// For highwater-attach, which is not killed in the midst of it: see attachAgent. Should it be nevertheless, a thread
/// that was sent to load the agent finds back by itself; only one that was about to come to an allocation, for at most
/// some hundred milliseconds, is lost, and its process with it (not without mayRunThreads).
///
/// Errors: the system does not permit it, or the process does not come to a place where it can be done within some
/// seconds: then nothing was changed. The whole call on one thread, which traces threads of the process meanwhile.
[[nodiscard]] Result<void> loadAgent(const AgentLoad& load, const std::function<bool()>& isWanted);

/// What highwater-attach says of such a result, and what that means; it means an error when nothing was said at all.
[[nodiscard]] std::string answerFor(const Result<void>& loaded);
[[nodiscard]] Result<void> resultOf(const std::string& answer);

} // namespace highwater::source
