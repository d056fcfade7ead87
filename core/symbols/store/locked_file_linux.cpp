#include "core/symbols/store/locked_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace highwater::symbols {
namespace {

int fileOf(std::intptr_t handle) { return static_cast<int>(handle); }

} // namespace

LockedFile LockedFile::open(const std::filesystem::path& path, Mode mode) {
    LockedFile file;
    const int create = mode == Mode::Create ? O_CREAT : 0;
    file.handle_ = ::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | create, 0600);
    if (file.handle_ == kNone) {
        (void)file.fail();
        file.state_ = State::Failed;
        return file;
    }
    if (::flock(fileOf(file.handle_), LOCK_EX | LOCK_NB) != 0) {
        file.close();
        file.state_ = State::Busy;
        return file;
    }
    file.state_ = State::Open;
    return file;
}

std::uint64_t LockedFile::bytes() const {
    struct stat content {};
    return ::fstat(fileOf(handle_), &content) == 0 ? static_cast<std::uint64_t>(content.st_size) : 0;
}

bool LockedFile::isStillAt(const std::filesystem::path& path) const {
    struct stat opened {};
    struct stat named {};
    return ::fstat(fileOf(handle_), &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
           opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

bool LockedFile::append(ByteSpan bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(fileOf(handle_), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return fail();
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

bool LockedFile::empty() { return ::ftruncate(fileOf(handle_), 0) == 0 || fail(); }

bool LockedFile::rename(const std::filesystem::path& from, const std::filesystem::path& to) {
    return ::rename(from.c_str(), to.c_str()) == 0 || fail();
}

void LockedFile::close() {
    if (handle_ != kNone) ::close(fileOf(handle_));
    handle_ = kNone;
    state_ = State::Closed;
}

bool LockedFile::fail() {
    problem_ = std::strerror(errno);
    return false;
}

} // namespace highwater::symbols
