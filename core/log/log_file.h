#pragma once

#include "core/base/result.h"
#include "core/log/log_line.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace highwater {

/// The rotating file of the log: `highwater.log` and, older, `highwater.1.log` and `highwater.2.log`, of 1 MB each at
/// most, for their owner alone. Each running program has a file of its own, so that none turns over another's: who
/// comes while highwater.log is in use writes highwater-2.log, and so on up to kMostPrograms; later ones have none. A
/// line carries the number of the process that wrote it.
///
/// Lines are written by a thread of the object's own: write() waits for no disk, and when that stands still so long
/// that kMostWaiting lines wait, the oldest of them are lost. The destructor writes what waits. write() by any thread.
class LogFile {
  public:
    static constexpr std::size_t kMostBytes = 1 << 20;
    static constexpr std::size_t kFiles = 3;
    static constexpr int kMostPrograms = 8;
    static constexpr std::size_t kMostWaiting = 2048;

    /// Told what is wrong when a line cannot be written (disk full), once, by the object's own thread.
    using Failed = std::function<void(const std::string& sentence)>;

    /// Makes the folder, too. Error: why there is no file.
    [[nodiscard]] static Result<std::unique_ptr<LogFile>> open(const std::filesystem::path& folder, Failed failed);
    ~LogFile();
    LogFile(const LogFile&) = delete;
    LogFile& operator=(const LogFile&) = delete;

    void write(const LogLine& line);
    [[nodiscard]] const std::filesystem::path& path() const;

  private:
    struct Impl;
    explicit LogFile(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater
