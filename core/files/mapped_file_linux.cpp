#include "core/files/mapped_file_linux.h"

#include "core/files/read_faults_linux.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace highwater {
namespace {

class LinuxMappedFile final : public MappedFile {
  public:
    LinuxMappedFile(void* base, std::size_t size) : base_(base), size_(size), faults_(base, size) {
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

  private:
    void* base_;
    std::size_t size_;
    ReadFaults faults_;
};

Error systemError(const std::filesystem::path& path, int code) {
    const auto kind = code == ENOENT || code == ENOTDIR ? ErrorKind::NotFound
                      : code == EACCES || code == EPERM ? ErrorKind::AccessDenied
                                                        : ErrorKind::Io;
    return Error{kind, fmt::format("{}: {}.", path.string(), std::generic_category().message(code))};
}

/// Closes the descriptor on every way out; the mapping does not need it.
struct Descriptor {
    int fd;
    ~Descriptor() {
        if (fd >= 0) ::close(fd);
    }
};

} // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path) {
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file.fd < 0) return systemError(path, errno);
    struct stat status {};
    if (::fstat(file.fd, &status) != 0) return systemError(path, errno);
    if (S_ISDIR(status.st_mode)) return Error{ErrorKind::NotATrace, fmt::format("{} is a folder.", path.string())};
    if (!S_ISREG(status.st_mode)) {
        return Error{ErrorKind::NotATrace, fmt::format("{} is not an ordinary file.", path.string())};
    }
    auto mapped = mapDescriptor(file.fd, static_cast<std::size_t>(status.st_size), path);
    if (mapped.hasValue() && !mapped.value()->bytes().empty()) {
        const auto bytes = mapped.value()->bytes();
        ::madvise(const_cast<std::byte*>(bytes.data()), bytes.size(), MADV_WILLNEED);
    }
    return mapped;
}

Result<std::shared_ptr<const MappedFile>> mapDescriptor(int fd, std::size_t bytes, const std::filesystem::path& named) {
    if (bytes == 0) return std::shared_ptr<const MappedFile>(std::make_shared<LinuxMappedFile>(nullptr, 0));
    void* base = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    if (base == MAP_FAILED) return systemError(named, errno);
    return std::shared_ptr<const MappedFile>(std::make_shared<LinuxMappedFile>(base, bytes));
}

} // namespace highwater
