#pragma once

#include "core/source/agent/agent_channel_linux.h"

#include <optional>

namespace highwater::source {

/// A program to be started and recorded.
struct AgentLaunch {
    std::string program; ///< a path, or a name to be found in PATH
    std::vector<std::string> arguments;
    std::filesystem::path folder;                                 ///< to run in; empty: the current one
    std::vector<std::pair<std::string, std::string>> environment; ///< on top of that of this process
    /// Files for its standard output and error, by their descriptors; none: those of this process.
    std::optional<int> output;
    std::optional<int> errors;
};

/// A program that was launched. Its owner may let go of it: it is not ended by that. Not safe between threads.
class AgentTarget {
  public:
    enum class Reaped : std::uint8_t { ByUs, ByOthers };
    /// `reaped`: who waits for its end. Of a program that was attached to that is its parent, even if that is us.
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
        int signal = 0; ///< 0: it ended by itself
    };
    /// Waits for its end.
    End waitForEnd();

  private:
    int pid_;
    int handle_;
    Reaped reaped_;
    std::optional<End> end_;
};

/// Starts a program with the agent in it. Errors as checkRecordable, and whatever the system says. Any thread.
[[nodiscard]] Result<AgentTarget> launchUnderAgent(const AgentChannel& channel, const AgentLaunch& launch);

} // namespace highwater::source
