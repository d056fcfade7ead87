#include "core/files/scratch_chunks.h"

#include "core/base/huge_pages.h"
#include "core/files/scratch_file.h"
#include "core/files/scratch_file_linux.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>

namespace highwater {
namespace {

Error chunkError(const std::filesystem::path& folder, int code) {
    return {ErrorKind::Io,
            fmt::format("{} cannot be written: {}", folder.string(), std::generic_category().message(code))};
}

/// Whether files there use memory.
bool isInMemory(int fd) {
    struct statfs status {};
    if (::fstatfs(fd, &status) != 0) return false;
    constexpr auto kRamfs = 0x858458f6u;
    const auto type = static_cast<std::uint32_t>(status.f_type);
    return type == static_cast<std::uint32_t>(TMPFS_MAGIC) || type == kRamfs;
}

class LinuxScratchChunks final : public ScratchChunks {
  public:
    LinuxScratchChunks(int fd, std::filesystem::path folder) : ScratchChunks(std::move(folder)), fd_(fd) {}
    ~LinuxScratchChunks() override { ::close(fd_); }

    Result<std::byte*> map(std::uint32_t number) override {
        struct statvfs space {};
        if (::fstatvfs(fd_, &space) == 0 &&
            std::uint64_t{space.f_bavail} * space.f_frsize < kLeaveBytes + kHugePageBytes)
            return chunkError(folder(), ENOSPC);
        // Writing to a page of a mapping without free disk blocks would end the program (SIGBUS).
        const auto failed = allocateBlocks(number);
        if (failed != 0) return chunkError(folder(), failed);
        void* chunk = ::mmap(nullptr, kHugePageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, offsetOf(number));
        if (chunk != MAP_FAILED) return static_cast<std::byte*>(chunk);
        const auto code = errno;
        releaseBlocks(number);
        return chunkError(folder(), code);
    }
    void unmap(std::byte* chunk, std::uint32_t number) noexcept override {
        ::munmap(chunk, kHugePageBytes);
        releaseBlocks(number);
    }

  private:
    static off_t offsetOf(std::uint32_t number) {
        return static_cast<off_t>(number) * static_cast<off_t>(kHugePageBytes);
    }
    int allocateBlocks(std::uint32_t number) const {
        int failed = EINTR;
        while (failed == EINTR)
            failed = ::posix_fallocate(fd_, offsetOf(number), static_cast<off_t>(kHugePageBytes));
        return failed;
    }
    /// The range reads as zeros afterwards.
    void releaseBlocks(std::uint32_t number) const noexcept {
        (void)::fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offsetOf(number),
                          static_cast<off_t>(kHugePageBytes));
    }

    int fd_;
};

} // namespace

/// The first of these folders that can be written and is not in memory.
Result<std::unique_ptr<ScratchChunks>> ScratchChunks::create() {
    const auto named = ScratchFile::folder();
    Error refused = chunkError(named, ENOENT);
    for (const auto& folder : {named, std::filesystem::path("/var/tmp")}) {
        const int fd = openNameless(folder);
        if (fd < 0) {
            refused = chunkError(folder, errno);
            continue;
        }
        if (!isInMemory(fd)) return std::unique_ptr<ScratchChunks>(std::make_unique<LinuxScratchChunks>(fd, folder));
        ::close(fd);
        refused = {ErrorKind::Io, fmt::format("{} is itself in memory", folder.string())};
    }
    return refused;
}

} // namespace highwater
