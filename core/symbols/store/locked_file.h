#pragma once

#include "core/base/byte_reader.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace highwater::symbols {

/// A file that one process at a time has open through this class, and may rename and remove meanwhile. What was written
/// is with the system when the call returns. One thread.
class LockedFile {
  public:
    enum class Mode { Existing, Create };
    enum class State {
        Closed,
        Open,
        Busy,   ///< another process has it
        Failed, ///< it cannot be opened: problem()
    };

    LockedFile() = default;
    /// Opens and locks it, without waiting. Never empties it.
    [[nodiscard]] static LockedFile open(const std::filesystem::path& path, Mode mode);
    ~LockedFile() { close(); }
    LockedFile(LockedFile&& other) noexcept;
    LockedFile& operator=(LockedFile&& other) noexcept;

    [[nodiscard]] State state() const { return state_; }
    /// The system's reason, after open() or a call below that gave false.
    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] std::uint64_t bytes() const;
    /// Whether `path` is still this file: another process may have renamed or removed it before it let go of the lock.
    [[nodiscard]] bool isStillAt(const std::filesystem::path& path) const;

    [[nodiscard]] bool append(ByteSpan bytes);
    [[nodiscard]] bool empty();
    /// Takes the place of what is there.
    [[nodiscard]] bool rename(const std::filesystem::path& from, const std::filesystem::path& to);
    void close();

  private:
    static constexpr std::intptr_t kNone = -1; ///< of both systems' handles

    bool fail(); ///< keeps the system's reason; false

    std::intptr_t handle_ = kNone;
    State state_ = State::Closed;
    std::string problem_;
};

} // namespace highwater::symbols
