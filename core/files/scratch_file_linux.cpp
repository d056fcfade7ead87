#include "core/files/scratch_file.h"

#include "core/files/file_data.h"
#include "core/files/mapped_file_linux.h"
#include "core/files/scratch_file_linux.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>
#include <system_error>
#include <unistd.h>

namespace highwater {
namespace {

Error scratchError(int code) {
    return {ErrorKind::Io,
            fmt::format("Cannot write {}: {}.", ScratchFile::folder().string(), std::generic_category().message(code))};
}

class LinuxScratchFile final : public ScratchFile {
  public:
    explicit LinuxScratchFile(int fd) : fd_(fd) {}
    ~LinuxScratchFile() override { ::close(fd_); }

    /// Leaves a hole for zeros.
    Result<void> append(ByteSpan bytes) override {
        if (areZeros(bytes)) {
            size_ += bytes.size();
            return {};
        }
        while (!bytes.empty()) {
            const auto written = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) return scratchError(written < 0 ? errno : ENOSPC);
            size_ += static_cast<std::size_t>(written);
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
        return {};
    }

    Result<std::shared_ptr<const MappedFile>> map() override {
        if (size_ == 0) return Error{ErrorKind::Io, "There is nothing to map."};
        if (::ftruncate(fd_, static_cast<off_t>(size_)) != 0) return scratchError(errno);
        return mapDescriptor(fd_, size_, ScratchFile::folder());
    }

  private:
    int fd_;
    std::size_t size_ = 0;
};

} // namespace

int openNameless(const std::filesystem::path& folder) {
    const int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return fd;
    auto name = (folder / "highwater-XXXXXX").string();
    const int named = ::mkostemp(name.data(), O_CLOEXEC);
    if (named >= 0) ::unlink(name.c_str());
    return named;
}

std::filesystem::path ScratchFile::folder() {
    const char* named = std::getenv("TMPDIR");
    if (named != nullptr && *named != '\0') return named;
    std::error_code error;
    return std::filesystem::is_directory("/var/tmp", error) ? "/var/tmp" : "/tmp";
}

Result<std::unique_ptr<ScratchFile>> ScratchFile::create() {
    const int fd = openNameless(ScratchFile::folder());
    if (fd < 0) return scratchError(errno);
    return std::unique_ptr<ScratchFile>(std::make_unique<LinuxScratchFile>(fd));
}

std::uint64_t ScratchFile::freeBytes() {
    std::error_code error;
    const auto space = std::filesystem::space(ScratchFile::folder(), error);
    return error ? 0 : space.available;
}

} // namespace highwater
