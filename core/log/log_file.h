#pragma once

#include "core/base/result.h"
#include "core/log/log_line.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace highwater {

/// The rotating log file: `highwater.log` and, older, `highwater.1.log` and `highwater.2.log`, of at most 1 MB each,
/// readable only by their owner. Each running program has its own file so that programs do not rotate each other's
/// files. While highwater.log is in use, the next program writes highwater-2.log, and so on up to kMostPrograms;
/// further ones have none. Each line contains the id of the process that wrote it.
///
/// A separate thread of this object writes the lines, so write() does not wait for the disk. If the disk stalls until
/// kMostWaiting lines wait, the oldest of them are lost. The destructor writes waiting lines. write() may be called by
/// any thread.
class LogFile {
  public:
    static constexpr std::size_t kMostBytes = 1 << 20;
    static constexpr std::size_t kFiles = 3;
    static constexpr int kMostPrograms = 8;
    static constexpr std::size_t kMostWaiting = 2048;

    /// Called once, by the object's own thread, with the reason why a line cannot be written (disk full).
    using Failed = std::function<void(const std::string& sentence)>;

    /// Also creates the folder. Error: the reason why there is no file.
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
