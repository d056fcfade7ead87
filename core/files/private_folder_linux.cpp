#include "core/files/private_folder.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace highwater {

bool makePrivateFolder(const std::filesystem::path& folder, std::error_code& failed) {
    constexpr mode_t kOwnerOnly = 0700;
    failed.clear();
    std::filesystem::path made;
    for (const auto& part : folder) {
        made /= part;
        if (::mkdir(made.c_str(), kOwnerOnly) == 0 || errno == EEXIST || errno == EISDIR) continue;
        failed =
            std::error_code(errno, std::generic_category()); // may be there all the same, on a disk that is read only
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

} // namespace highwater
