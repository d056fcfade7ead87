#include "core/symbols/part_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

namespace highwater::symbols {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPartEnding = ".part";
constexpr const char* kTagEnding = ".tag";
constexpr const char* kUnpackedEnding = ".unpacked";

constexpr int kTreeDepth = 2; ///< root / name / identity / file

bool isHex(std::string_view text) { return text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos; }

/// People may choose any folder as cache, and other programs have files with such endings: name and place must be ours.
bool isOurs(const fs::path& path) {
    constexpr std::size_t kIdentityDigits = 16; ///< at least
    const auto identity = path.parent_path().filename().string();
    if (identity.size() < kIdentityDigits || !isHex(identity)) return false;
    return path.extension() == kUnpackedEnding || isPartName(path);
}

/// The file of that name is still the one that was opened: another process may have renamed or removed it before it let
/// go of the lock.
bool isStillThere(int file, const fs::path& path) {
    struct stat opened {};
    struct stat named {};
    return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

bool lock(int file) { return ::flock(file, LOCK_EX | LOCK_NB) == 0; }

void removeIfUnused(const fs::path& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    const bool isUnused = lock(file);
    if (isUnused) {
        std::error_code error;
        fs::remove(fs::path(path).replace_extension(kTagEnding), error);
        fs::remove(path, error);
    }
    ::close(file);
}

} // namespace

bool isPartName(const fs::path& path) {
    constexpr std::size_t kKeyDigits = 16;
    const auto key = path.stem().extension().string(); // with its dot
    return path.extension() == kPartEnding && key.size() == kKeyDigits + 1 && isHex(std::string_view(key).substr(1));
}

PartFile PartFile::open(const fs::path& target, const std::string& key) {
    PartFile part;
    part.path_ = target;
    part.path_ += "." + key + kPartEnding;
    for (;;) {
        part.close();
        part.file_ = ::open(part.path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
        if (part.file_ < 0) {
            (void)part.fail();
            return part;
        }
        if (!lock(part.file_)) {
            part.state_ = State::Busy;
            return part;
        }
        if (isStillThere(part.file_, part.path_)) break;
    }
    part.state_ = State::Open;
    std::ifstream tag(part.tagPath());
    std::getline(tag, part.tag_);
    struct stat content {};
    if (::fstat(part.file_, &content) == 0) part.bytes_ = static_cast<std::uint64_t>(content.st_size);
    if (part.tag_.empty()) part.restart({});
    return part;
}

PartFile::PartFile(PartFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      state_(other.state_),
      bytes_(other.bytes_),
      tag_(std::move(other.tag_)),
      problem_(std::move(other.problem_)) {}

PartFile& PartFile::operator=(PartFile&& other) noexcept {
    if (this == &other) return *this;
    close();
    path_ = std::move(other.path_);
    file_ = std::exchange(other.file_, -1);
    state_ = other.state_;
    bytes_ = other.bytes_;
    tag_ = std::move(other.tag_);
    problem_ = std::move(other.problem_);
    return *this;
}

void PartFile::restart(std::string tag) {
    if (::ftruncate(file_, 0) != 0) (void)fail();
    bytes_ = 0;
    tag_ = std::move(tag);
    std::error_code error;
    fs::remove(tagPath(), error);
    if (!tag_.empty()) std::ofstream(tagPath()) << tag_ << '\n';
}

bool PartFile::append(ByteSpan bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(file_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return fail();
        bytes_ += static_cast<std::uint64_t>(written);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

bool PartFile::moveTo(const fs::path& target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) return fail();
    std::error_code error;
    fs::remove(tagPath(), error);
    close();
    return true;
}

void PartFile::remove() {
    if (file_ < 0) return;
    std::error_code error;
    fs::remove(tagPath(), error);
    fs::remove(path_, error);
    close();
}

void PartFile::close() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
}

bool PartFile::fail() {
    problem_ = std::strerror(errno);
    state_ = State::CannotWrite;
    return false;
}

fs::path PartFile::tagPath() const { return fs::path(path_).replace_extension(kTagEnding); }

void removePartsOf(const fs::path& target) {
    const auto begin = target.filename().string() + ".";
    std::error_code error;
    for (fs::directory_iterator it(target.parent_path(), error), end; !error && it != end; it.increment(error)) {
        const auto name = it->path().filename().string();
        if (name.starts_with(begin) && isPartName(it->path())) removeIfUnused(it->path());
    }
}

void removeLeftovers(const fs::path& root, fs::file_time_type::duration age) {
    const auto limit = fs::file_time_type::clock::now() - age;
    std::error_code error;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator it(root, options, error), end; !error && it != end; it.increment(error)) {
        if (it.depth() == kTreeDepth) it.disable_recursion_pending();
        if (it.depth() != kTreeDepth || !isOurs(it->path())) continue;
        std::error_code gone; // another process may remove it meanwhile
        if (!it->is_regular_file(gone) || it->last_write_time(gone) > limit || gone) continue;
        removeIfUnused(it->path());
    }
}

} // namespace highwater::symbols
