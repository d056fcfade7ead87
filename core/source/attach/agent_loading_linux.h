#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <string>

namespace highwater::source {

/// A function of the agent that a thread of the process calls.
enum class AgentFunction : std::uint8_t {
    Start,   ///< starts recording. Its argument is the channel
    TryTrim, ///< starts a copy of the process that tries malloc_trim. Its argument is the file for the answer
    Copy,    ///< starts a copy that can be read, while all threads are stopped. Its argument is a file; see CopyAnswer
};

/// Checks whether this process can load the agent into a running process. The error is a sentence for the user: the
/// process has ended, belongs to another user, is a 32-bit or static program, runs in another container, or is already
/// being traced. It says what `function` was to do. Any thread.
[[nodiscard]] Result<void> checkAttachable(std::uint32_t pid, AgentFunction function = AgentFunction::Start);

/// The agent to load and the process that loads it.
struct AgentLoad {
    std::uint32_t pid = 0;
    std::string library;  ///< the agent's
    std::string argument; ///< path of the function's file, as seen by the process
    /// False: only waiting threads are used. A waiting thread can be released at any time; a thread that was made to
    /// run to an allocation cannot. For callers that may be killed at any time.
    bool mayRunThreads = true;
    AgentFunction function = AgentFunction::Start;
};

/// Loads the agent by having a thread of the process call dlopen, and calls the function. Returns the pid of the copy
/// for TryTrim and Copy, 0 for Start. For Copy, it stops all threads for up to 250 ms and the duration of the copy, and
/// writes their registers to the file. When `isWanted` returns false, the process is restored; a call that is already
/// running is waited for. An agent that is already loaded is not loaded again.
///
/// For highwater-attach, which is not normally killed while it works; see attachAgent. If it is killed anyway, a thread
/// that was made to load the agent resumes its own work by itself. Only a thread that was running to an allocation,
/// for at most some hundred milliseconds, crashes together with its process (never without mayRunThreads).
///
/// Fails if the system does not permit tracing, or if the process does not reach a suitable point within some seconds.
/// Nothing was changed then. The whole call stays on one thread, which traces threads of the process meanwhile.
[[nodiscard]] Result<int> loadAgent(const AgentLoad& load, const std::function<bool()>& isWanted);

/// Encodes a result as the answer of highwater-attach, and decodes it. A missing answer is an error.
[[nodiscard]] std::string answerFor(const Result<int>& loaded);
[[nodiscard]] Result<int> resultOf(const std::string& answer);

} // namespace highwater::source
