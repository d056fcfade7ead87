#include "core/symbols/places/local_mounts_linux.h"
#include "core/symbols/places/trusted_image_path.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace highwater::symbols {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40; ///< as in the kernel

/// Replaces escapes such as \040 for a space.
std::string unescapedMount(std::string_view text) {
    std::string plain;
    constexpr std::size_t kDigits = 3;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto digits = text.substr(i).size() > kDigits ? text.substr(i + 1, kDigits) : std::string_view();
        const bool isEscape =
            text[i] == '\\' && digits.size() == kDigits && digits.find_first_not_of("01234567") == digits.npos;
        if (!isEscape) {
            plain += text[i];
            continue;
        }
        plain += static_cast<char>((digits[0] - '0') * 64 + (digits[1] - '0') * 8 + (digits[2] - '0'));
        i += kDigits;
    }
    return plain;
}

/// A handle of a step of the path (O_PATH). It does not open the file itself, so nothing happens to it.
class PathHandle {
  public:
    PathHandle(int folder, const std::string& name)
        : fd_(::openat(folder, name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC)), error_(fd_ < 0 ? errno : 0) {}
    ~PathHandle() { close(); }
    PathHandle(const PathHandle&) = delete;
    PathHandle& operator=(PathHandle&& other) noexcept {
        close();
        fd_ = std::exchange(other.fd_, -1);
        error_ = other.error_;
        return *this;
    }
    [[nodiscard]] int fd() const { return fd_; }
    [[nodiscard]] int error() const { return error_; }
    [[nodiscard]] mode_t mode() const {
        struct stat status {};
        return ::fstat(fd_, &status) == 0 ? status.st_mode : 0;
    }
    [[nodiscard]] std::string linkTarget() const {
        std::array<char, 4096> room{};
        const auto bytes = ::readlinkat(fd_, "", room.data(), room.size());
        return bytes > 0 ? std::string(room.data(), static_cast<std::size_t>(bytes)) : std::string();
    }

  private:
    void close() {
        if (fd_ >= 0) ::close(fd_);
    }
    int fd_;
    int error_;
};

Error notThere(int code) {
    if (code == ENOENT || code == ENOTDIR) return {ErrorKind::NotFound, "not found"};
    return {ErrorKind::AccessDenied, fmt::format("skipped: {}", std::generic_category().message(code))};
}

/// Follows a path step by step, so that every symbolic link is noticed.
class LocalWalk {
  public:
    Result<fs::path> to(std::string path) {
        for (int links = 0; links <= kMostLinks; ++links) {
            const auto next = TRY(walk(path));
            if (!next) return fs::path(path);
            path = *next;
            if (const auto objection = objectionTo(path); !objection.empty())
                return Error{ErrorKind::AccessDenied,
                             fmt::format("is a link to {}, which {}; skipped", path, objection)};
        }
        return Error{ErrorKind::Io, "skipped: too many symbolic links"};
    }

  private:
    /// The target of the first symbolic link on the way; nullopt: there is none, and a file is at the end.
    Result<std::optional<std::string>> walk(const std::string& path) {
        PathHandle here(AT_FDCWD, "/");
        fs::path reached = "/";
        mode_t mode = S_IFDIR;
        const auto steps = fs::path(path).relative_path();
        for (auto step = steps.begin(); step != steps.end(); ++step) {
            if (step->empty()) continue;
            const auto candidate = reached / *step;
            const auto kind = mounts_.kindAt(candidate.string());
            if (!LocalMounts::isLocalKind(kind))
                return Error{
                    ErrorKind::AccessDenied,
                    fmt::format("is on a file system of type \"{}\", which may belong to another computer; skipped",
                                kind)};
            here = PathHandle(here.fd(), step->string());
            if (here.fd() < 0) return notThere(here.error());
            mode = here.mode();
            if (S_ISLNK(mode)) {
                auto target = reached / here.linkTarget();
                for (auto rest = std::next(step); rest != steps.end(); ++rest)
                    target /= *rest;
                return std::optional(target.lexically_normal().string());
            }
            reached = candidate;
        }
        if (!S_ISREG(mode)) return Error{ErrorKind::NotATrace, "is not a regular file; skipped"};
        return std::optional<std::string>();
    }

    LocalMounts mounts_ = LocalMounts::ofThisProcess();
};

PlaceBelow placeOf(mode_t mode) {
    if (S_ISLNK(mode)) return PlaceBelow::Link;
    if (S_ISDIR(mode)) return PlaceBelow::Folder;
    return S_ISREG(mode) ? PlaceBelow::File : PlaceBelow::Other;
}

} // namespace

LocalMounts LocalMounts::parse(std::string_view mountInfo) {
    LocalMounts mounts;
    std::istringstream lines{std::string(mountInfo)};
    for (std::string line; std::getline(lines, line);) {
        // id, parent, device, root, mount point, options, further fields until "-", kind
        std::istringstream fields(line);
        std::string word, point;
        for (int i = 0; i < 5; ++i)
            fields >> point;
        while (fields >> word && word != "-") {
        }
        if (std::string kind; fields >> kind) mounts.mounts_.push_back({unescapedMount(point), kind});
    }
    return mounts;
}

LocalMounts LocalMounts::ofThisProcess() {
    std::ifstream file("/proc/self/mountinfo");
    std::ostringstream text;
    text << file.rdbuf();
    return parse(text.str());
}

std::string_view LocalMounts::kindAt(std::string_view path) const {
    const Mount* found = nullptr;
    for (const auto& mount : mounts_) {
        const bool holds = mount.point == "/" || path == mount.point ||
                           (path.starts_with(mount.point) && path[mount.point.size()] == '/');
        // Later mounts hide earlier ones.
        if (holds && (found == nullptr || mount.point.size() >= found->point.size())) found = &mount;
    }
    return found == nullptr ? std::string_view() : std::string_view(found->kind);
}

bool LocalMounts::isLocalKind(std::string_view kind) {
    constexpr std::array kLocal{"ext2",     "ext3",   "ext4",     "xfs",    "btrfs",   "f2fs", "zfs",
                                "bcachefs", "jfs",    "reiserfs", "nilfs2", "overlay", "aufs", "tmpfs",
                                "ramfs",    "rootfs", "squashfs", "erofs",  "iso9660", "udf",  "vfat",
                                "msdos",    "exfat",  "ntfs",     "ntfs3",  "fuseblk", "hfs",  "hfsplus",
                                "ubifs",    "jffs2",  "ecryptfs", "wslfs",  "lxfs"};
    return std::find(kLocal.begin(), kLocal.end(), kind) != kLocal.end();
}

Result<fs::path> trustedPath(std::string_view path) {
    if (const auto objection = objectionTo(path); !objection.empty())
        return Error{ErrorKind::AccessDenied, objection + "; skipped"};
    return LocalWalk().to(std::string(path));
}

PlaceBelow placeTypeBelow(const fs::path& folder, const fs::path& place) {
    // A trailing slash would follow a link.
    const auto named = folder.has_filename() ? folder : folder.parent_path();
    PathHandle here(AT_FDCWD, named.empty() ? "." : named.string());
    for (const auto& step : place.lexically_relative(folder)) {
        if (step == "..") return PlaceBelow::Other;
        if (step.empty() || step == ".") continue;
        if (here.fd() < 0) return PlaceBelow::NotThere;
        if (const auto found = placeOf(here.mode()); found != PlaceBelow::Folder)
            return found == PlaceBelow::Link ? found : PlaceBelow::NotThere;
        here = PathHandle(here.fd(), step.string());
    }
    return here.fd() < 0 ? PlaceBelow::NotThere : placeOf(here.mode());
}

} // namespace highwater::symbols
