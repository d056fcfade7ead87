#pragma once

#include "core/base/byte_reader.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace highwater::symbols {

/// A file that only one process at a time can open through this class, and may rename and remove while open. Writes are
/// passed to the system before a call returns. One thread.
class LockedFile {
  public:
    enum class Mode { Existing, Create };
    enum class State {
        Closed,
        Open,
        Busy,   ///< opened by another process
        Failed, ///< cannot be opened: problem()
    };

    LockedFile() = default;
    /// Opens and locks the file without waiting. Never truncates it.
    [[nodiscard]] static LockedFile open(const std::filesystem::path& path, Mode mode);
    ~LockedFile() { close(); }
    LockedFile(LockedFile&& other) noexcept;
    LockedFile& operator=(LockedFile&& other) noexcept;

    [[nodiscard]] State state() const { return state_; }
    /// The system's error text, after open() or a failed call below.
    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] std::uint64_t bytes() const;
    /// Whether `path` is still this file: another process may have renamed or removed it before it released the lock.
    [[nodiscard]] bool isStillAt(const std::filesystem::path& path) const;

    [[nodiscard]] bool append(ByteSpan bytes);
    [[nodiscard]] bool empty();
    /// Replaces an existing file.
    [[nodiscard]] bool rename(const std::filesystem::path& from, const std::filesystem::path& to);
    void close();

  private:
    static constexpr std::intptr_t kNone = -1; ///< an invalid handle on both systems

    bool fail(); ///< stores the system's error text; returns false

    std::intptr_t handle_ = kNone;
    State state_ = State::Closed;
    std::string problem_;
};

} // namespace highwater::symbols
