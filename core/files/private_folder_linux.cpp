#include "core/files/private_folder.h"

#include "core/base/text.h"
#include "core/files/mapped_file_linux.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace highwater {
namespace {

class OpenPlace {
  public:
    OpenPlace(const std::filesystem::path& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC)) {
        if (fd_ < 0) error_ = errno;
    }
    ~OpenPlace() {
        if (fd_ >= 0) ::close(fd_);
    }
    OpenPlace(const OpenPlace&) = delete;
    OpenPlace& operator=(const OpenPlace&) = delete;
    [[nodiscard]] int fd() const { return fd_; }
    [[nodiscard]] int error() const { return error_; }

  private:
    int fd_;
    int error_ = 0;
};

/// The reason why another user may have created it; nothing if that is impossible.
std::optional<std::string> whoElseWrites(const struct stat& found) {
    constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;
    if (found.st_uid != ::geteuid() && found.st_uid != 0) return "it belongs to another user";
    if ((found.st_mode & kOthersWrite) != 0) return "other users may write to it";
    return std::nullopt;
}

Error notBelieved(const std::filesystem::path& path, std::string_view why) {
    return {ErrorKind::AccessDenied, fmt::format("{} is not used because {}.", utf8(path), why)};
}

Error systemRefusal(const std::filesystem::path& path, int code) {
    if (code == ELOOP) return notBelieved(path, "it is a link");
    const auto kind = code == ENOENT || code == ENOTDIR ? ErrorKind::NotFound : ErrorKind::Io;
    return {kind, fmt::format("{}: {}.", utf8(path), std::generic_category().message(code))};
}

} // namespace

bool makePrivateFolder(const std::filesystem::path& folder, std::error_code& failed) {
    constexpr mode_t kOwnerOnly = 0700;
    failed.clear();
    std::filesystem::path made;
    for (const auto& part : folder) {
        made /= part;
        if (::mkdir(made.c_str(), kOwnerOnly) == 0 || errno == EEXIST || errno == EISDIR) continue;
        failed = std::error_code(errno, std::generic_category()); // may exist anyway, on a read-only disk
    }
    std::error_code unknown;
    if (std::filesystem::is_directory(folder, unknown)) {
        failed.clear();
        return true;
    }
    if (!failed) failed = std::make_error_code(std::errc::not_a_directory);
    return false;
}

void closeToOthers(const std::filesystem::path& folder) {
    constexpr mode_t kOthers = 0077;
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return;
    struct stat found {};
    if (::fstat(fd, &found) == 0 && found.st_uid == ::geteuid() && (found.st_mode & kOthers) != 0)
        (void)::fchmod(fd, found.st_mode & 07777 & ~kOthers);
    ::close(fd);
}

/// The folder first: without write access to it, others cannot replace the file that is checked.
Result<std::shared_ptr<const MappedFile>> openPrivateFile(const std::filesystem::path& path) {
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    struct stat found {};
    const OpenPlace place(folder, O_RDONLY | O_DIRECTORY);
    if (place.fd() < 0 || ::fstat(place.fd(), &found) != 0) return systemRefusal(folder, place.error());
    if (const auto why = whoElseWrites(found)) return notBelieved(folder, *why);
    const OpenPlace file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (file.fd() < 0 || ::fstat(file.fd(), &found) != 0) return systemRefusal(path, file.error());
    if (!S_ISREG(found.st_mode)) return notBelieved(path, "it is not a regular file");
    if (const auto why = whoElseWrites(found)) return notBelieved(path, *why);
    return mapDescriptor(file.fd(), static_cast<std::size_t>(found.st_size), path);
}

} // namespace highwater
