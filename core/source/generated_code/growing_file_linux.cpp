#include "core/source/generated_code/growing_file_linux.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace highwater::source {
namespace {

constexpr std::size_t kPieceBytes = 256 * 1024;

} // namespace

bool GrowingFile::exists() const {
    struct stat facts {};
    return ::fstatat(folder_, name_.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0;
}

/// Follows no links and never blocks, because the name may be a pipe of any user.
bool GrowingFile::open(const Reader& reader) {
    OwnedFile file(::openat(folder_, name_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat facts {};
    if (!file.isOpen() || ::fstat(file.number(), &facts) != 0) return false;
    if (!S_ISREG(facts.st_mode)) {
        refusal_ = Refusal::NoPlainFile;
        return false;
    }
    if (facts.st_uid != owner_) {
        refusal_ = Refusal::OtherOwner;
        return false;
    }
    refusal_ = Refusal::None;
    if (file_.isOpen()) reader.restart();
    file_ = std::move(file);
    device_ = facts.st_dev;
    inode_ = facts.st_ino;
    position_ = 0;
    tailBytes_ = 0;
    isAnew_ = false;
    return true;
}

bool GrowingFile::isReplaced() const {
    struct stat facts {};
    // Deleted: the open file stays valid.
    if (::fstatat(folder_, name_.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) return false;
    return facts.st_dev != device_ || facts.st_ino != inode_;
}

/// Whether the file is shorter than before, or the bytes read last have changed.
bool GrowingFile::isWrittenAnew(std::uint64_t size) const {
    if (isAnew_ || size < position_) return true;
    std::array<std::byte, kTailBytes> now{};
    const auto count = ::pread(file_.number(), now.data(), tailBytes_, static_cast<off_t>(position_ - tailBytes_));
    return count != static_cast<ssize_t>(tailBytes_) || !std::equal(now.begin(), now.begin() + count, tail_.begin());
}

void GrowingFile::begin(const Reader& reader) {
    reader.restart();
    position_ = 0;
    tailBytes_ = 0;
    isAnew_ = false;
}

std::size_t GrowingFile::read(const Reader& reader, std::size_t most) {
    if (!file_.isOpen() && !open(reader)) return 0;
    struct stat facts {};
    if (::fstat(file_.number(), &facts) != 0) return 0;
    const auto size = static_cast<std::uint64_t>(std::max<off_t>(facts.st_size, 0));
    if (size == position_ && !isAnew_ && isReplaced()) { // the old one has been read completely
        if (!open(reader)) return 0;
        return read(reader, most);
    }
    if (size == position_ && !isAnew_) return 0;
    if (isWrittenAnew(size)) begin(reader);
    std::size_t given = 0;
    std::vector<std::byte> piece(std::min(most, kPieceBytes));
    while (given < most) {
        const auto wanted = std::min(piece.size(), most - given);
        const auto count = ::pread(file_.number(), piece.data(), wanted, static_cast<off_t>(position_));
        if (count <= 0) break;
        const ByteSpan bytes(piece.data(), static_cast<std::size_t>(count));
        reader.take(bytes);
        position_ += bytes.size();
        given += bytes.size();
        tailBytes_ = std::min(bytes.size(), kTailBytes);
        std::copy(bytes.end() - static_cast<std::ptrdiff_t>(tailBytes_), bytes.end(), tail_.begin());
    }
    return given;
}

void GrowingFile::remove() {
    if (file_.isOpen() && !isReplaced()) ::unlinkat(folder_, name_.c_str(), 0);
}

} // namespace highwater::source
