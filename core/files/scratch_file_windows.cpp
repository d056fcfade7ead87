#include "core/files/scratch_file.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <random>
#include <windows.h>

namespace highwater {
namespace {

Error scratchError(DWORD code) {
    return {ErrorKind::Io, fmt::format("Cannot write {}: Windows error {}.", utf8(ScratchFile::folder()), code)};
}

/// Closed with its last user, which deletes the file.
struct ScratchHandle {
    explicit ScratchHandle(HANDLE handle) : value(handle) {}
    ~ScratchHandle() { ::CloseHandle(value); }
    ScratchHandle(const ScratchHandle&) = delete;
    ScratchHandle& operator=(const ScratchHandle&) = delete;
    HANDLE value;
};

class ScratchMapping final : public MappedFile {
  public:
    ScratchMapping(const void* base, std::size_t size, std::shared_ptr<ScratchHandle> file)
        : base_(base), file_(std::move(file)) {
        bytes_ = ByteSpan(static_cast<const std::byte*>(base), size);
    }
    ~ScratchMapping() override { ::UnmapViewOfFile(base_); }

    /// Other programs cannot access the file.
    [[nodiscard]] bool hasLostBytes() const override { return false; }

  private:
    const void* base_;
    std::shared_ptr<ScratchHandle> file_;
};

class WindowsScratchFile final : public ScratchFile {
  public:
    explicit WindowsScratchFile(HANDLE file) : file_(std::make_shared<ScratchHandle>(file)) {}

    Result<void> append(ByteSpan bytes) override {
        constexpr std::size_t kMostAtOnce = std::size_t{1} << 24;
        while (!bytes.empty()) {
            DWORD written = 0;
            const auto now = static_cast<DWORD>(std::min(bytes.size(), kMostAtOnce));
            if (!::WriteFile(file_->value, bytes.data(), now, &written, nullptr)) return scratchError(::GetLastError());
            if (written == 0) return scratchError(ERROR_DISK_FULL);
            size_ += written;
            bytes = bytes.subspan(written);
        }
        return {};
    }

    Result<std::shared_ptr<const MappedFile>> map() override {
        if (size_ == 0) return Error{ErrorKind::Io, "There is nothing to map."};
        const HANDLE mapping = ::CreateFileMappingW(file_->value, nullptr, PAGE_READONLY, 0, 0, nullptr);
        if (mapping == nullptr) return scratchError(::GetLastError());
        const void* base = ::MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
        const auto code = ::GetLastError();
        ::CloseHandle(mapping);
        if (base == nullptr) return scratchError(code);
        return std::shared_ptr<const MappedFile>(std::make_shared<ScratchMapping>(base, size_, file_));
    }

  private:
    std::shared_ptr<ScratchHandle> file_;
    std::size_t size_ = 0;
};

} // namespace

std::filesystem::path ScratchFile::folder() {
    std::error_code error;
    return std::filesystem::temp_directory_path(error);
}

Result<std::unique_ptr<ScratchFile>> ScratchFile::create() {
    std::random_device random;
    const auto path =
        ScratchFile::folder() / fmt::format("highwater-{:08x}{:08x}{:08x}.tmp", random(), random(), random());
    const HANDLE file = ::CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_DELETE, nullptr,
                                      CREATE_NEW, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr);
    if (file == INVALID_HANDLE_VALUE) return scratchError(::GetLastError());
    return std::unique_ptr<ScratchFile>(std::make_unique<WindowsScratchFile>(file));
}

std::uint64_t ScratchFile::freeBytes() {
    std::error_code error;
    const auto space = std::filesystem::space(ScratchFile::folder(), error);
    return error ? 0 : space.available;
}

} // namespace highwater
