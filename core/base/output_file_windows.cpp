#include "core/base/output_file.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <windows.h>

namespace highwater {
namespace {

Error systemError(const char* action, const std::filesystem::path& path, DWORD code) {
    const auto kind = code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND     ? ErrorKind::NotFound
                      : code == ERROR_ACCESS_DENIED || code == ERROR_SHARING_VIOLATION ? ErrorKind::AccessDenied
                                                                                       : ErrorKind::Io;
    if (code == ERROR_DISK_FULL) return Error{kind, fmt::format("Cannot {} {}: the disk is full.", action, utf8(path))};
    return Error{kind, fmt::format("Cannot {} {}: Windows error {}.", action, utf8(path), code)};
}

class WindowsOutputFile final : public OutputFile {
  public:
    WindowsOutputFile(HANDLE file, std::filesystem::path path) : file_(file), path_(std::move(path)) {}
    ~WindowsOutputFile() override { ::CloseHandle(file_); }

    Result<void> sync() override {
        if (!::FlushFileBuffers(file_)) return systemError("write", path_, ::GetLastError());
        return {};
    }

  private:
    Result<void> writeAt(std::uint64_t offset, ByteSpan bytes) override {
        constexpr std::size_t kMostAtOnce = 1u << 30;
        while (!bytes.empty()) {
            OVERLAPPED place{};
            place.Offset = static_cast<DWORD>(offset);
            place.OffsetHigh = static_cast<DWORD>(offset >> 32);
            DWORD written = 0;
            const auto wanted = static_cast<DWORD>(std::min(bytes.size(), kMostAtOnce));
            if (!::WriteFile(file_, bytes.data(), wanted, &written, &place)) {
                return systemError("write", path_, ::GetLastError());
            }
            if (written == 0) return systemError("write", path_, ERROR_DISK_FULL);
            offset += written;
            bytes = bytes.subspan(written);
        }
        return {};
    }

    void cutTo(std::uint64_t size) override {
        LARGE_INTEGER end{};
        end.QuadPart = static_cast<LONGLONG>(size);
        if (::SetFilePointerEx(file_, end, nullptr, FILE_BEGIN)) ::SetEndOfFile(file_);
    }

    HANDLE file_;
    std::filesystem::path path_;
};

} // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::filesystem::path& path) {
    const HANDLE file = ::CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE,
                                      nullptr, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) return systemError("create", path, ::GetLastError());
    return std::unique_ptr<OutputFile>(std::make_unique<WindowsOutputFile>(file, path));
}

bool OutputFile::isBeingWritten(const std::filesystem::path& path) {
    const HANDLE file =
        ::CreateFileW(path.c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                      OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file != INVALID_HANDLE_VALUE) {
        ::CloseHandle(file);
        return false;
    }
    return ::GetLastError() == ERROR_SHARING_VIOLATION;
}

} // namespace highwater
