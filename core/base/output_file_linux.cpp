#include "core/base/output_file.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

namespace highwater {
namespace {

Error systemError(const char* action, const std::filesystem::path& path, int code) {
    const auto kind = code == ENOENT || code == ENOTDIR                  ? ErrorKind::NotFound
                      : code == EACCES || code == EPERM || code == EROFS ? ErrorKind::AccessDenied
                                                                         : ErrorKind::Io;
    return Error{kind, fmt::format("Cannot {} {}: {}.", action, path.string(), std::generic_category().message(code))};
}

/// Null: it is an ordinary file, or nothing at all.
const char* wordForOther(std::filesystem::file_type type) {
    using Type = std::filesystem::file_type;
    switch (type) {
    case Type::directory:
        return "a folder";
    case Type::block:
    case Type::character:
        return "a device";
    case Type::fifo:
        return "a pipe";
    case Type::socket:
        return "a socket";
    default:
        return nullptr;
    }
}

class LinuxOutputFile final : public OutputFile {
  public:
    LinuxOutputFile(int fd, std::filesystem::path path) : fd_(fd), path_(std::move(path)) {}
    ~LinuxOutputFile() override { ::close(fd_); }

    Result<void> sync() override {
        if (::fdatasync(fd_) != 0 && errno != EINVAL && errno != EROFS) return systemError("write", path_, errno);
        return {};
    }

  private:
    Result<void> writeAt(std::uint64_t offset, ByteSpan bytes) override {
        while (!bytes.empty()) {
            const auto written = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) return systemError("write", path_, errno);
            if (written == 0) return systemError("write", path_, ENOSPC);
            offset += static_cast<std::uint64_t>(written);
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
        return {};
    }

    void cutTo(std::uint64_t size) override { (void)!::ftruncate(fd_, static_cast<off_t>(size)); }

    int fd_;
    std::filesystem::path path_;
};

} // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::filesystem::path& path) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) return systemError("create", path, errno);
    // The lock first: what another program is writing must not be emptied. File systems without locks go unlocked.
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        ::close(fd);
        return Error{ErrorKind::AccessDenied,
                     fmt::format("Cannot create {}: another program is writing it.", path.string())};
    }
    if (::ftruncate(fd, 0) != 0 && errno != EINVAL) { // EINVAL: /dev/null and pipes
        const int code = errno;
        ::close(fd);
        return systemError("create", path, code);
    }
    return std::unique_ptr<OutputFile>(std::make_unique<LinuxOutputFile>(fd, path));
}

Result<std::filesystem::path> OutputFile::placeFor(const std::filesystem::path& path) {
    constexpr int kMostLinks = 40; // as many as the system follows
    std::error_code failed;
    // Asked of the system: links below /proc lead to pipes and sockets that have no path.
    if (const auto* other = wordForOther(std::filesystem::status(path, failed).type())) return notAFile(path, other);
    auto place = path;
    for (int links = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(place, failed)); ++links) {
        if (links == kMostLinks) return systemError("write", path, ELOOP);
        const auto target = std::filesystem::read_symlink(place, failed);
        if (failed) return systemError("write", path, failed.value());
        place = place.parent_path() / target; // an absolute one stands alone
    }
    return place;
}

bool OutputFile::isBeingWritten(const std::filesystem::path& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    const bool isLocked = ::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(fd);
    return isLocked;
}

} // namespace highwater
