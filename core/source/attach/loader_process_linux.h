#pragma once

#include "core/base/result.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::source {

/// highwater-attach as a separate process in its own session. It outlives this process as long as it needs to restore
/// others, and detects the end of this process by the end of the connection. One thread at a time.
class LoaderProcess {
  public:
    static constexpr int kNone = -1;

    /// Starts it with these arguments; `file` becomes its descriptor kFile. It is expected next to `library`, the
    /// agent's. Fails if it does not exist or cannot be started.
    static Result<LoaderProcess> start(const std::filesystem::path& library, const std::vector<std::string>& arguments,
                                       int file = kNone);
    LoaderProcess(LoaderProcess&& other) noexcept;
    LoaderProcess& operator=(LoaderProcess&&) = delete;
    LoaderProcess(const LoaderProcess&) = delete;
    LoaderProcess& operator=(const LoaderProcess&) = delete;
    /// Says goodbye and waits for its end. If it has to wait itself, it is left running.
    ~LoaderProcess();

    [[nodiscard]] int pid() const { return pid_; }
    /// Its complete output, if it ends within this time and before a stop request. Blocks until then.
    [[nodiscard]] std::optional<std::string> answer(std::chrono::milliseconds within = std::chrono::minutes(1),
                                                    const std::stop_token& stop = {}) const;

    /// Its descriptors: the connection, and the file.
    static constexpr int kConnection = 0, kFile = 3;

  private:
    LoaderProcess(int pid, int connection) : pid_(pid), connection_(connection) {}
    int pid_;
    int connection_;
};

} // namespace highwater::source
