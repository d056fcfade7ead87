#include "core/files/scratch_chunks.h"

#include "core/base/huge_pages.h"
#include "core/base/text.h"
#include "core/files/scratch_file.h"

#include <cstring>
#include <fmt/format.h>
#include <random>
#include <vector>
#include <windows.h>

namespace highwater {
namespace {

Error chunkError(const std::filesystem::path& folder, DWORD code) {
    return {ErrorKind::Io, fmt::format("{} cannot be written: Windows error {}", utf8(folder), code)};
}

class WindowsScratchChunks final : public ScratchChunks {
  public:
    WindowsScratchChunks(HANDLE file, std::filesystem::path folder) : ScratchChunks(std::move(folder)), file_(file) {}
    ~WindowsScratchChunks() override { ::CloseHandle(file_); } // this deletes the file

    /// A mapping past the end of the file extends the file, or fails if the disk is full.
    Result<std::byte*> map(std::uint32_t number) override {
        const auto offset = std::uint64_t{number} * kHugePageBytes;
        const auto end = offset + kHugePageBytes;
        const bool isOld = end <= size_;
        if (!isOld && ScratchFile::freeBytes() < kLeaveBytes + kHugePageBytes)
            return chunkError(folder(), ERROR_DISK_FULL);
        const HANDLE mapping = ::CreateFileMappingW(file_, nullptr, PAGE_READWRITE, high(end), low(end), nullptr);
        if (mapping == nullptr) return chunkError(folder(), ::GetLastError());
        if (!isOld) size_ = end;
        void* chunk = ::MapViewOfFile(mapping, FILE_MAP_WRITE, high(offset), low(offset), kHugePageBytes);
        const auto code = ::GetLastError();
        ::CloseHandle(mapping);
        if (chunk == nullptr) return chunkError(folder(), code);
        if (isOld) std::memset(chunk, 0, kHugePageBytes); // it may contain data of an earlier chunk
        return static_cast<std::byte*>(chunk);
    }
    void unmap(std::byte* chunk, std::uint32_t) noexcept override { ::UnmapViewOfFile(chunk); }

  private:
    static DWORD high(std::uint64_t value) { return static_cast<DWORD>(value >> 32); }
    static DWORD low(std::uint64_t value) { return static_cast<DWORD>(value); }

    HANDLE file_;
    std::uint64_t size_ = 0;
};

} // namespace

Result<std::unique_ptr<ScratchChunks>> ScratchChunks::create() {
    const auto folder = ScratchFile::folder();
    std::random_device random;
    const auto path = folder / fmt::format("highwater-{:08x}{:08x}{:08x}.tmp", random(), random(), random());
    const HANDLE file = ::CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_DELETE, nullptr,
                                      CREATE_NEW, FILE_FLAG_DELETE_ON_CLOSE, nullptr);
    if (file == INVALID_HANDLE_VALUE) return chunkError(folder, ::GetLastError());
    return std::unique_ptr<ScratchChunks>(std::make_unique<WindowsScratchChunks>(file, folder));
}

} // namespace highwater
