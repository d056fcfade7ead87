#pragma once

#include "core/base/result.h"
#include "core/source/contract/capture.h"
#include "core/source/etw/windows_handle_windows.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace highwater::source {

/// The recorded program. One thread.
class TargetProcess {
  public:
    /// Opens a running process. Fails if it does not exist or access is denied.
    static Result<TargetProcess> attach(std::uint32_t pid);
    /// Starts the program suspended, before its first instruction; resume() continues it. Destroying the object before
    /// that ends the process.
    static Result<TargetProcess> launch(const CaptureLaunch& launch);
    ~TargetProcess();
    TargetProcess(TargetProcess&&) noexcept = default;
    TargetProcess& operator=(TargetProcess&&) = delete;

    void resume();
    [[nodiscard]] bool hasEnded() const;
    /// The exit code of an ended process. Nothing: not available.
    [[nodiscard]] std::optional<std::uint32_t> exitCode() const;
    [[nodiscard]] std::uint32_t pid() const { return pid_; }
    [[nodiscard]] bool is32Bit() const { return is32Bit_; }
    [[nodiscard]] bool wasLaunched() const { return wasLaunched_; }
    /// Whether the process traces its heaps, according to its own memory. Nothing: it cannot be read, or is a 32-bit
    /// process.
    [[nodiscard]] std::optional<bool> tracesItsHeaps() const;

  private:
    TargetProcess(WindowsHandle process, std::uint32_t pid);

    WindowsHandle process_;
    WindowsHandle thread_; ///< suspended until resume()
    std::uint32_t pid_;
    bool is32Bit_ = false;
    bool wasLaunched_ = false;
};

/// The file that would be run for this program, found in the system's search path; empty: none.
[[nodiscard]] std::wstring programFile(const std::string& program);
/// Joins the arguments so that Windows programs split them correctly.
[[nodiscard]] std::wstring commandLineOf(const std::string& program, const std::vector<std::string>& arguments);

} // namespace highwater::source
