#pragma once

#include "core/source/agent/agent_channel_linux.h"

#include <optional>

namespace highwater::source {

/// A program to start and record.
struct AgentLaunch {
    std::string program; ///< a path, or a name to look up in PATH
    std::vector<std::string> arguments;
    std::filesystem::path folder;                                 ///< working folder; empty: the current one
    std::vector<std::pair<std::string, std::string>> environment; ///< added to the environment of this process
    /// Descriptors for its standard output and error; none: those of this process.
    std::optional<int> output;
    std::optional<int> errors;
};

/// A launched program. Destroying this object does not end the program. Not thread-safe.
class AgentTarget {
  public:
    enum class Reaped : std::uint8_t { ByUs, ByOthers };
    /// `reaped`: who waits for the end of the program. For an attached program that is its parent, even if this process
    /// is the parent.
    AgentTarget(int pid, int handle, Reaped reaped = Reaped::ByOthers) : pid_(pid), handle_(handle), reaped_(reaped) {}
    AgentTarget(AgentTarget&& other) noexcept;
    AgentTarget& operator=(AgentTarget&&) = delete;
    AgentTarget(const AgentTarget&) = delete;
    AgentTarget& operator=(const AgentTarget&) = delete;
    ~AgentTarget();

    [[nodiscard]] int pid() const { return pid_; }
    /// A pidfd: readable when the program has ended.
    [[nodiscard]] int handle() const { return handle_; }
    /// Whether it has ended; does not wait.
    [[nodiscard]] bool hasEnded() const;

    struct End {
        int exitCode = 0;
        int signal = 0; ///< 0: not ended by a signal
    };
    /// Waits for its end.
    End waitForEnd();

  private:
    int pid_;
    int handle_;
    Reaped reaped_;
    std::optional<End> end_;
};

/// Starts a program with the agent. Fails like checkRecordable, and with errors of the system. Any thread.
[[nodiscard]] Result<AgentTarget> launchUnderAgent(const AgentChannel& channel, const AgentLaunch& launch);

} // namespace highwater::source
