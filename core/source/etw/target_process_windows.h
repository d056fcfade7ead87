#pragma once

#include "core/base/result.h"
#include "core/source/contract/capture.h"
#include "core/source/etw/windows_handle_windows.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace highwater::source {

/// The program that is recorded. One thread.
class TargetProcess {
  public:
    /// One that runs. Errors: there is none of that number, or it may not be asked.
    static Result<TargetProcess> attach(std::uint32_t pid);
    /// Starts it, but not a single instruction of it: resume() does. An object that goes before that ends it.
    static Result<TargetProcess> launch(const CaptureLaunch& launch);
    ~TargetProcess();
    TargetProcess(TargetProcess&&) noexcept = default;
    TargetProcess& operator=(TargetProcess&&) = delete;

    void resume();
    [[nodiscard]] bool hasEnded() const;
    /// Of one that has ended. Nothing: Windows does not say.
    [[nodiscard]] std::optional<std::uint32_t> exitCode() const;
    [[nodiscard]] std::uint32_t pid() const { return pid_; }
    [[nodiscard]] bool is32Bit() const { return is32Bit_; }
    [[nodiscard]] bool wasLaunched() const { return wasLaunched_; }
    /// What the process itself says: it traces its heaps. Nothing: it cannot be asked, or is a 32-bit one.
    [[nodiscard]] std::optional<bool> tracesItsHeaps() const;

  private:
    TargetProcess(WindowsHandle process, std::uint32_t pid);

    WindowsHandle process_;
    WindowsHandle thread_; ///< waiting to be resumed
    std::uint32_t pid_;
    bool is32Bit_ = false;
    bool wasLaunched_ = false;
};

/// The file that launching this program would run, found where the system looks; empty: none.
[[nodiscard]] std::wstring programFile(const std::string& program);
/// Arguments as programs of Windows take them apart again.
[[nodiscard]] std::wstring commandLineOf(const std::string& program, const std::vector<std::string>& arguments);

} // namespace highwater::source
