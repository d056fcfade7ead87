#include "core/base/text.h"
#include "core/files/bounded_file.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace highwater {
namespace {

using PipeClock = std::chrono::steady_clock;

/// Reads one file, which may be a pipe.
class BoundedReader {
  public:
    BoundedReader(const std::filesystem::path& path, std::size_t mostBytes, PipePatience patience)
        : path_(path),
          mostBytes_(mostBytes),
          patience_(patience),
          fd_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {}
    ~BoundedReader() {
        if (fd_ >= 0) ::close(fd_);
    }
    BoundedReader(const BoundedReader&) = delete;
    BoundedReader& operator=(const BoundedReader&) = delete;

    Result<std::string> read() {
        struct stat found {};
        if (fd_ < 0 || ::fstat(fd_, &found) != 0) return systemError(errno);
        if (S_ISDIR(found.st_mode)) return problem("it is a folder");
        isPipe_ = S_ISFIFO(found.st_mode);
        for (;;) {
            std::array<char, 8192> part{};
            const auto count = ::read(fd_, part.data(), part.size());
            if (count > 0) {
                text_.append(part.data(), static_cast<std::size_t>(count));
                if (text_.size() > mostBytes_) return problem("it is larger than " + bytesText(mostBytes_));
                hasWriter_ = true;
                lastByte_ = PipeClock::now();
                if (lastByte_ - begin_ > patience_.whole) return tooSlow();
                continue;
            }
            const int code = count == 0 ? 0 : errno;
            if (code == EINTR) continue;
            if (code != 0 && code != EAGAIN) return systemError(code);
            // A pipe that has not been opened for writing yet appears to be at its end.
            if (code == 0 && (!isPipe_ || hasWriter_)) return std::move(text_);
            hasWriter_ = hasWriter_ || code == EAGAIN;
            if (hasEnded()) return std::move(text_);
            if (const auto error = whyNotWaited()) return *error;
        }
    }

  private:
    /// Waits briefly. True if the writer has gone and no data is left.
    bool hasEnded() {
        constexpr int kLookMs = 50;
        pollfd wait{fd_, POLLIN, 0};
        return ::poll(&wait, 1, kLookMs) > 0 && (wait.revents & (POLLHUP | POLLIN)) == POLLHUP;
    }
    std::optional<Error> whyNotWaited() const {
        const auto now = PipeClock::now();
        if (!hasWriter_ && now - begin_ > patience_.writer) return problem("it is a pipe that no process writes to");
        if (now - lastByte_ > patience_.byte || now - begin_ > patience_.whole) return tooSlow();
        return std::nullopt;
    }
    [[nodiscard]] Error tooSlow() const {
        return problem(fmt::format("its end was not reached within {:.3g} s",
                                   std::chrono::duration<double>(PipeClock::now() - begin_).count()));
    }
    [[nodiscard]] Error problem(const std::string& why) const {
        return {ErrorKind::Io, fmt::format("Cannot read {}: {}.", utf8(path_), why)};
    }
    [[nodiscard]] Error systemError(int code) const {
        const auto kind = code == ENOENT || code == ENOTDIR ? ErrorKind::NotFound
                          : code == EACCES || code == EPERM ? ErrorKind::AccessDenied
                                                            : ErrorKind::Io;
        return {kind, fmt::format("Cannot read {}: {}.", utf8(path_), std::generic_category().message(code))};
    }

    const std::filesystem::path& path_;
    std::size_t mostBytes_;
    PipePatience patience_;
    int fd_;
    bool isPipe_ = false;
    bool hasWriter_ = false;
    std::string text_;
    PipeClock::time_point begin_ = PipeClock::now();
    PipeClock::time_point lastByte_ = begin_;
};

} // namespace

Result<std::string> readBounded(const std::filesystem::path& path, std::size_t mostBytes, PipePatience patience) {
    return BoundedReader(path, mostBytes, patience).read();
}

} // namespace highwater
