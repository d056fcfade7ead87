#pragma once

#include "core/base/result.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::source {

/// highwater-attach, running beside this program: a process of its own, in a session of its own, that outlives us by as
/// long as it needs to put things in order. It notices our end by that of the connection. One thread at a time.
class LoaderProcess {
  public:
    static constexpr int kNone = -1;

    /// Starts it with these arguments; `file` becomes its descriptor kFile. `library` is the agent's: it lies beside
    /// that. Errors: it is not there, or cannot be started.
    static Result<LoaderProcess> start(const std::filesystem::path& library, const std::vector<std::string>& arguments,
                                       int file = kNone);
    LoaderProcess(LoaderProcess&& other) noexcept;
    LoaderProcess& operator=(LoaderProcess&&) = delete;
    LoaderProcess(const LoaderProcess&) = delete;
    LoaderProcess& operator=(const LoaderProcess&) = delete;
    /// Says good-bye, and waits for its end; but if it has still to wait for something itself, it is left to that.
    ~LoaderProcess();

    [[nodiscard]] int pid() const { return pid_; }
    /// Whatever it says until it ends, if that is within this time, and before somebody says stop. Blocks so long.
    [[nodiscard]] std::optional<std::string> answer(std::chrono::milliseconds within = std::chrono::minutes(1),
                                                    const std::stop_token& stop = {}) const;

    /// What it finds in itself: the connection, and the file.
    static constexpr int kConnection = 0, kFile = 3;

  private:
    LoaderProcess(int pid, int connection) : pid_(pid), connection_(connection) {}
    int pid_;
    int connection_;
};

} // namespace highwater::source
