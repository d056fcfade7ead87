#include "core/files/mapped_file.h"

#include "core/base/text.h"
#include "core/files/scratch_file.h"

#include <array>
#include <fmt/format.h>
#include <vector>
#include <windows.h>

namespace highwater {
namespace {

class WindowsMappedFile final : public MappedFile {
  public:
    WindowsMappedFile(const void* base, std::size_t size) : base_(base) {
        bytes_ = ByteSpan(static_cast<const std::byte*>(base), size);
    }
    ~WindowsMappedFile() override {
        if (base_ != nullptr) ::UnmapViewOfFile(base_);
    }

    /// The mapped file is on a fixed drive, and Windows prevents truncation.
    [[nodiscard]] bool hasLostBytes() const override { return false; }
    /// For pages that are not locked, this removes them from the working set.
    void letGo() const override {
        if (base_ != nullptr) ::VirtualUnlock(const_cast<void*>(base_), bytes_.size());
    }

  private:
    const void* base_;
};

Error systemError(const std::filesystem::path& path, DWORD code) {
    const auto kind = code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND ? ErrorKind::NotFound
                      : code == ERROR_ACCESS_DENIED                                ? ErrorKind::AccessDenied
                                                                                   : ErrorKind::Io;
    if (kind == ErrorKind::NotFound)
        return Error{kind,
                     fmt::format("{} does not exist. Check whether it was moved, renamed or deleted.", utf8(path))};
    return Error{kind, fmt::format("{}: Windows error {}.", utf8(path), code)};
}

struct Handle {
    HANDLE value;
    ~Handle() {
        if (value != nullptr && value != INVALID_HANDLE_VALUE) ::CloseHandle(value);
    }
};

/// A network or removable drive, where reading a mapping may end the program.
bool mayDisappear(const std::filesystem::path& path) {
    std::array<wchar_t, MAX_PATH + 1> root{};
    if (!::GetVolumePathNameW(path.c_str(), root.data(), static_cast<DWORD>(root.size()))) return false;
    const auto type = ::GetDriveTypeW(root.data());
    return type == DRIVE_REMOTE || type == DRIVE_REMOVABLE || type == DRIVE_CDROM;
}

Result<std::shared_ptr<const MappedFile>> mapCopy(const std::filesystem::path& path, HANDLE file) {
    constexpr DWORD kBlockBytes = 1u << 20;
    auto copy = TRY(ScratchFile::create());
    std::vector<std::byte> block(kBlockBytes);
    for (;;) {
        DWORD taken = 0;
        if (!::ReadFile(file, block.data(), kBlockBytes, &taken, nullptr)) return systemError(path, ::GetLastError());
        if (taken == 0) return copy->map();
        TRY(copy->append(ByteSpan(block).first(taken)));
    }
}

} // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path) {
    const DWORD attributes = ::GetFileAttributesW(path.c_str());
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
        return Error{ErrorKind::NotATrace, fmt::format("{} is a folder.", utf8(path))};
    }
    const Handle file{::CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                    nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr)};
    if (file.value == INVALID_HANDLE_VALUE) return systemError(path, ::GetLastError());
    LARGE_INTEGER size{};
    if (!::GetFileSizeEx(file.value, &size)) return systemError(path, ::GetLastError());
    if (size.QuadPart == 0) return std::shared_ptr<const MappedFile>(std::make_shared<WindowsMappedFile>(nullptr, 0));
    if (mayDisappear(path)) return mapCopy(path, file.value);
    const Handle mapping{::CreateFileMappingW(file.value, nullptr, PAGE_READONLY, 0, 0, nullptr)};
    if (mapping.value == nullptr) return systemError(path, ::GetLastError());
    const void* base = ::MapViewOfFile(mapping.value, FILE_MAP_READ, 0, 0, 0);
    if (base == nullptr) return systemError(path, ::GetLastError());
    return std::shared_ptr<const MappedFile>(
        std::make_shared<WindowsMappedFile>(base, static_cast<std::size_t>(size.QuadPart)));
}

} // namespace highwater
