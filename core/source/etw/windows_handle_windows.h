#pragma once

#include <windows.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace highwater::source {

/// A handle that its destructor closes.
class WindowsHandle {
  public:
    WindowsHandle() = default;
    explicit WindowsHandle(HANDLE handle) : handle_(handle) {}
    ~WindowsHandle() {
        if (isOpen()) ::CloseHandle(handle_);
    }
    WindowsHandle(WindowsHandle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    WindowsHandle& operator=(WindowsHandle&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    WindowsHandle(const WindowsHandle&) = delete;
    WindowsHandle& operator=(const WindowsHandle&) = delete;

    [[nodiscard]] bool isOpen() const { return handle_ != nullptr && handle_ != INVALID_HANDLE_VALUE; }
    [[nodiscard]] HANDLE get() const { return handle_; }

  private:
    HANDLE handle_ = nullptr;
};

/// Converts between the strings of Windows and of Highwater.
[[nodiscard]] std::string utf8Of(std::wstring_view text);
[[nodiscard]] std::wstring wideOf(std::string_view text);

/// Whether the process is running and is Highwater or its command line; checks the program because pids are reused.
[[nodiscard]] bool isHighwaterRunning(std::uint32_t pid);

} // namespace highwater::source
