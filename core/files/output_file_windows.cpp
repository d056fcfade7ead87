#include "core/files/file_limits.h"
#include "core/files/nameless_file.h"
#include "core/files/output_file.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <windows.h>

#include <sddl.h>

namespace highwater {
namespace {

Error systemError(const char* action, const std::filesystem::path& path, DWORD code) {
    const auto kind = code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND     ? ErrorKind::NotFound
                      : code == ERROR_ACCESS_DENIED || code == ERROR_SHARING_VIOLATION ? ErrorKind::AccessDenied
                                                                                       : ErrorKind::Io;
    const auto reason = code == ERROR_DISK_FULL ? std::string("the disk is full")
                        : code == ERROR_FILE_EXISTS || code == ERROR_ALREADY_EXISTS
                            ? std::string("the file exists")
                            : fmt::format("Windows error {}", code);
    return Error{kind, fmt::format("Cannot {} {}: {}.", action, utf8(path), reason)};
}

/// Rights of the owner of a new file, of the system and of administrators, regardless of those of its folder. On a file
/// system without such rights, the file gets those of the folder.
class OwnerOnly {
  public:
    OwnerOnly() {
        // Protected; all rights for the owner, the system, and administrators.
        constexpr const wchar_t* kRights = L"D:P(A;;FA;;;OW)(A;;FA;;;SY)(A;;FA;;;BA)";
        if (!::ConvertStringSecurityDescriptorToSecurityDescriptorW(kRights, SDDL_REVISION_1,
                                                                    &attributes_.lpSecurityDescriptor, nullptr))
            attributes_.lpSecurityDescriptor = nullptr;
    }
    ~OwnerOnly() { ::LocalFree(attributes_.lpSecurityDescriptor); }
    OwnerOnly(const OwnerOnly&) = delete;
    OwnerOnly& operator=(const OwnerOnly&) = delete;
    /// Null if the system rejected them.
    [[nodiscard]] SECURITY_ATTRIBUTES* attributes() {
        return attributes_.lpSecurityDescriptor != nullptr ? &attributes_ : nullptr;
    }

  private:
    SECURITY_ATTRIBUTES attributes_{sizeof(SECURITY_ATTRIBUTES), nullptr, FALSE}; // not inherited
};

/// The target of a link; otherwise the path.
std::filesystem::path placeOf(HANDLE file, const std::filesystem::path& path) {
    constexpr DWORD kMostLetters = 32768;
    const auto attributes = ::GetFileAttributesW(path.c_str()); // attributes of the link and not of its target
    if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0) return path;
    std::wstring place(kMostLetters, L'\0');
    const auto length = ::GetFinalPathNameByHandleW(file, place.data(), kMostLetters, FILE_NAME_NORMALIZED);
    if (length == 0 || length >= kMostLetters) return path;
    place.resize(length);
    return place;
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

Result<std::unique_ptr<OutputFile>> openForWriting(const std::filesystem::path& path, DWORD disposition,
                                                   OutputFile::Readers readers) {
    OwnerOnly rights; // otherwise those of the folder
    const HANDLE file = ::CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE,
                                      readers == OutputFile::Readers::Owner ? rights.attributes() : nullptr,
                                      disposition, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) return systemError("create", path, ::GetLastError());
    return std::unique_ptr<OutputFile>(std::make_unique<WindowsOutputFile>(file, path));
}

} // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::filesystem::path& path) {
    return openForWriting(path, CREATE_ALWAYS, Readers::Owner);
}

Result<std::unique_ptr<OutputFile>> OutputFile::createNew(const std::filesystem::path& path, Readers readers) {
    return openForWriting(path, CREATE_NEW, readers);
}

/// Windows does not have nameless files.
std::optional<NamelessFile> createNameless(const std::filesystem::path& /*place*/, NamelessFile::Readers /*readers*/) {
    return std::nullopt;
}

Result<std::shared_ptr<const OutputFile>> OutputFile::hold(const std::filesystem::path& path) {
    const HANDLE file = ::CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE,
                                      nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) return systemError("open", path, ::GetLastError());
    return std::shared_ptr<const OutputFile>(std::make_shared<const WindowsOutputFile>(file, path));
}

Result<std::filesystem::path> OutputFile::placeFor(const std::filesystem::path& path) {
    const HANDLE file =
        ::CreateFileW(path.c_str(), FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                      nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr); // also opens folders
    if (file == INVALID_HANDLE_VALUE) return path;                                  // nothing exists there
    const auto place = placeOf(file, path);
    BY_HANDLE_FILE_INFORMATION facts{};
    const bool isDisk = ::GetFileType(file) == FILE_TYPE_DISK;
    const bool isFolder = isDisk && ::GetFileInformationByHandle(file, &facts) &&
                          (facts.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    ::CloseHandle(file);
    if (!isDisk) return notAFile(path, "a device or a pipe");
    if (isFolder) return notAFile(path, "a folder");
    if (isBeingWritten(place)) return systemError("write", path, ERROR_SHARING_VIOLATION);
    return place;
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

void reportFileLimits() {}
std::optional<ByteCount> addressLimit() { return std::nullopt; }

} // namespace highwater
