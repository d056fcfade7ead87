#include "core/files/mapped_file_linux.h"

#include "core/files/owned_file_linux.h"
#include "core/files/read_faults_linux.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace highwater {
namespace {

class LinuxMappedFile final : public MappedFile {
  public:
    LinuxMappedFile(void* base, std::size_t size, OwnedFile file)
        : base_(base), size_(size), file_(std::move(file)), faults_(base, size) {
        bytes_ = ByteSpan(static_cast<const std::byte*>(base), size);
    }
    ~LinuxMappedFile() override {
        faults_.forget();
        if (base_ != nullptr) ::munmap(base_, size_);
    }

    [[nodiscard]] bool hasLostBytes() const override { return faults_.happened(); }
    void letGo() const override {
        if (base_ != nullptr) ::madvise(base_, size_, MADV_DONTNEED);
    }
    /// In pieces because the system limits the size of each request.
    void willRead(std::uint64_t offset, std::uint64_t bytes) const override {
        constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;
        if (!file_.isOpen() || offset >= size_) return;
        const auto end = offset + std::min<std::uint64_t>(bytes, size_ - offset);
        for (; offset < end; offset += kPiece)
            ::posix_fadvise(file_.number(), static_cast<off_t>(offset), kPiece, POSIX_FADV_WILLNEED);
    }
    /// Several times as fast as the mapping, for which the system maps sixteen pages on each access.
    [[nodiscard]] ByteSpan read(std::uint64_t offset, std::span<std::byte> room) const override {
        if (!file_.isOpen() || offset >= size_) return MappedFile::read(offset, room);
        const auto wanted = std::min<std::uint64_t>(room.size(), size_ - offset);
        const auto taken = ::pread(file_.number(), room.data(), wanted, static_cast<off_t>(offset));
        if (taken < 0 || static_cast<std::uint64_t>(taken) != wanted) return MappedFile::read(offset, room);
        return room.first(wanted);
    }

  private:
    void* base_;
    std::size_t size_;
    OwnedFile file_;
    ReadFaults faults_;
};

Error systemError(const std::filesystem::path& path, int code) {
    const auto kind = code == ENOENT || code == ENOTDIR ? ErrorKind::NotFound
                      : code == EACCES || code == EPERM ? ErrorKind::AccessDenied
                                                        : ErrorKind::Io;
    if (kind == ErrorKind::NotFound)
        return Error{kind,
                     fmt::format("{} does not exist. Check whether it was moved, renamed or deleted.", path.string())};
    return Error{kind, fmt::format("{}: {}.", path.string(), std::generic_category().message(code))};
}

} // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path) {
    const OwnedFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file.isOpen()) return systemError(path, errno);
    struct stat status {};
    if (::fstat(file.number(), &status) != 0) return systemError(path, errno);
    if (S_ISDIR(status.st_mode)) return Error{ErrorKind::NotATrace, fmt::format("{} is a folder.", path.string())};
    if (!S_ISREG(status.st_mode)) {
        return Error{ErrorKind::NotATrace, fmt::format("{} is not a regular file.", path.string())};
    }
    auto mapped = mapDescriptor(file.number(), static_cast<std::size_t>(status.st_size), path);
    constexpr long kBlockBytes = 512;
    const bool isSparse = status.st_blocks < status.st_size / kBlockBytes; // pages for holes would fill the memory
    if (mapped.hasValue() && !mapped.value()->bytes().empty() && !isSparse) {
        const auto bytes = mapped.value()->bytes();
        ::madvise(const_cast<std::byte*>(bytes.data()), bytes.size(), MADV_WILLNEED);
    }
    return mapped;
}

Result<std::shared_ptr<const MappedFile>> mapDescriptor(int fd, std::size_t bytes, const std::filesystem::path& named) {
    if (bytes == 0)
        return std::shared_ptr<const MappedFile>(std::make_shared<LinuxMappedFile>(nullptr, 0, OwnedFile()));
    void* base = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    if (base == MAP_FAILED) return systemError(named, errno);
    return std::shared_ptr<const MappedFile>(
        std::make_shared<LinuxMappedFile>(base, bytes, OwnedFile(::fcntl(fd, F_DUPFD_CLOEXEC, 0))));
}

} // namespace highwater
