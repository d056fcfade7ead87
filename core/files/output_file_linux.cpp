#include "core/base/text.h"
#include "core/files/file_limits.h"
#include "core/files/nameless_file.h"
#include "core/files/output_file.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace highwater {
namespace {

Error systemError(const char* action, const std::filesystem::path& path, int code) {
    const auto kind = code == ENOENT || code == ENOTDIR                  ? ErrorKind::NotFound
                      : code == EACCES || code == EPERM || code == EROFS ? ErrorKind::AccessDenied
                                                                         : ErrorKind::Io;
    auto sentence = fmt::format("Cannot {} {}: {}.", action, path.string(), std::generic_category().message(code));
    rlimit limit{};
    if (code == EFBIG && ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        sentence += fmt::format(" Highwater may write files of at most {} bytes (ulimit -f). Raise that limit.",
                                thousands(limit.rlim_cur));
    return Error{kind, std::move(sentence)};
}

constexpr mode_t kOwnerOnly = 0600;
constexpr mode_t kAsUsual = 0666; // before the umask is applied

/// File systems without locks are used without locking. False if another program has the lock; the file is closed.
bool lockForWriting(int fd) {
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
    ::close(fd);
    return false;
}

Error beingWritten(const char* action, const std::filesystem::path& path) {
    return {ErrorKind::AccessDenied,
            fmt::format("Cannot {} {} because another program is writing to it.", action, path.string())};
}

/// Null if it is an ordinary file or does not exist.
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

/// By the system's rules for links in folders that any user may write to (protected_symlinks), which a rename to the
/// target would bypass.
bool isForeignLink(const std::filesystem::path& link) {
    const auto parent = link.has_parent_path() ? link.parent_path() : std::filesystem::path(".");
    constexpr mode_t kShared = S_ISVTX | S_IWOTH;
    struct stat folder {};
    struct stat found {};
    if (::stat(parent.c_str(), &folder) != 0 || ::lstat(link.c_str(), &found) != 0) return true;
    const bool isShared = (folder.st_mode & kShared) == kShared;
    return isShared && found.st_uid != ::geteuid() && found.st_uid != folder.st_uid;
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
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly);
    if (fd < 0) return systemError("create", path, errno);
    // Lock first, so that a file that another program is writing is not truncated.
    if (!lockForWriting(fd)) return beingWritten("create", path);
    if (::ftruncate(fd, 0) != 0 && errno != EINVAL) { // EINVAL: /dev/null and pipes
        const int code = errno;
        ::close(fd);
        return systemError("create", path, code);
    }
    return std::unique_ptr<OutputFile>(std::make_unique<LinuxOutputFile>(fd, path));
}

Result<std::unique_ptr<OutputFile>> OutputFile::createNew(const std::filesystem::path& path, Readers readers) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                          readers == Readers::Owner ? kOwnerOnly : kAsUsual);
    if (fd < 0) return systemError("create", path, errno);
    if (!lockForWriting(fd)) return beingWritten("create", path);
    return std::unique_ptr<OutputFile>(std::make_unique<LinuxOutputFile>(fd, path));
}

std::optional<NamelessFile> createNameless(const std::filesystem::path& place, NamelessFile::Readers readers) {
    const auto folder = place.has_parent_path() ? place.parent_path() : std::filesystem::path(".");
    const int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC,
                          readers == NamelessFile::Readers::Owner ? kOwnerOnly : kAsUsual);
    if (fd < 0) return std::nullopt;
    const std::shared_ptr<const int> held(new int(fd), [](const int* number) {
        ::close(*number);
        delete number;
    });
    const int writing = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (writing < 0) return std::nullopt;
    auto file = std::make_unique<LinuxOutputFile>(writing, place);
    // The file is named through /proc. A missing /proc must be detected before everything is written.
    const auto known = fmt::format("/proc/self/fd/{}", fd);
    if (::access(known.c_str(), F_OK) != 0 || ::flock(fd, LOCK_EX | LOCK_NB) != 0) return std::nullopt;
    return NamelessFile{std::move(file), [held, known](const std::filesystem::path& path) -> Result<void> {
                            if (::linkat(AT_FDCWD, known.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0)
                                return {};
                            return Error{ErrorKind::Io, std::generic_category().message(errno)};
                        }};
}

Result<std::shared_ptr<const OutputFile>> OutputFile::hold(const std::filesystem::path& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return systemError("open", path, errno);
    if (!lockForWriting(fd)) return beingWritten("open", path);
    return std::shared_ptr<const OutputFile>(std::make_shared<const LinuxOutputFile>(fd, path));
}

Result<std::filesystem::path> OutputFile::placeFor(const std::filesystem::path& path) {
    constexpr int kMostLinks = 40; // the limit of the system
    std::error_code failed;
    // Resolved by the system because links below /proc lead to pipes and sockets without a path.
    if (const auto* other = wordForOther(std::filesystem::status(path, failed).type())) return notAFile(path, other);
    auto place = path;
    for (int links = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(place, failed)); ++links) {
        if (links == kMostLinks) return systemError("write", path, ELOOP);
        if (isForeignLink(place))
            return Error{
                ErrorKind::AccessDenied,
                fmt::format("Cannot write {} because another user created the link {} in a folder that any user may "
                            "write to. Choose another name.",
                            path.string(), place.string())};
        const auto target = std::filesystem::read_symlink(place, failed);
        if (failed) return systemError("write", path, failed.value());
        place = place.parent_path() / target; // an absolute target replaces the path
    }
    if (isBeingWritten(place)) return beingWritten("write", path);
    return place;
}

bool OutputFile::isBeingWritten(const std::filesystem::path& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    const bool isLocked = ::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(fd);
    return isLocked;
}

/// Uses a handler that does nothing because started programs do not inherit handlers.
void reportFileLimits() {
    struct sigaction before {};
    if (::sigaction(SIGXFSZ, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
    struct sigaction nothing {};
    nothing.sa_handler = [](int) {};
    nothing.sa_flags = SA_RESTART;
    ::sigaction(SIGXFSZ, &nothing, nullptr);
}

std::optional<ByteCount> addressLimit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
    return limit.rlim_cur;
}

} // namespace highwater
