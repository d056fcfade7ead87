#include "core/symbols/store/locked_file.h"

#include <algorithm>
#include <system_error>
#include <windows.h>

namespace highwater::symbols {
namespace {

constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

HANDLE fileOf(std::intptr_t handle) { return reinterpret_cast<HANDLE>(handle); }

/// Locks apply to byte ranges and block reading, so the locked range is far behind any content.
bool lock(HANDLE file) {
    OVERLAPPED place{};
    place.OffsetHigh = 0x7FFFFFFF;
    return ::LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place);
}

bool isSameFile(HANDLE a, HANDLE b) {
    BY_HANDLE_FILE_INFORMATION first{};
    BY_HANDLE_FILE_INFORMATION second{};
    return ::GetFileInformationByHandle(a, &first) && ::GetFileInformationByHandle(b, &second) &&
           first.dwVolumeSerialNumber == second.dwVolumeSerialNumber && first.nFileIndexHigh == second.nFileIndexHigh &&
           first.nFileIndexLow == second.nFileIndexLow;
}

} // namespace

LockedFile LockedFile::open(const std::filesystem::path& path, Mode mode) {
    LockedFile file;
    const HANDLE handle =
        ::CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE | DELETE, kShareAll, nullptr,
                      mode == Mode::Create ? OPEN_ALWAYS : OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE) {
        // Opened without sharing by another program, or being removed.
        const auto code = ::GetLastError();
        (void)file.fail();
        file.state_ = code == ERROR_SHARING_VIOLATION ? State::Busy : State::Failed;
        return file;
    }
    if (!lock(handle)) {
        ::CloseHandle(handle);
        file.state_ = State::Busy;
        return file;
    }
    file.handle_ = reinterpret_cast<std::intptr_t>(handle);
    file.state_ = State::Open;
    return file;
}

std::uint64_t LockedFile::bytes() const {
    LARGE_INTEGER size{};
    return ::GetFileSizeEx(fileOf(handle_), &size) ? static_cast<std::uint64_t>(size.QuadPart) : 0;
}

bool LockedFile::isStillAt(const std::filesystem::path& path) const {
    const HANDLE named =
        ::CreateFileW(path.c_str(), 0, kShareAll, nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (named == INVALID_HANDLE_VALUE) return false;
    const bool isSame = isSameFile(fileOf(handle_), named);
    ::CloseHandle(named);
    return isSame;
}

bool LockedFile::append(ByteSpan bytes) {
    constexpr std::size_t kMostAtOnce = 1u << 30;
    if (!::SetFilePointerEx(fileOf(handle_), {}, nullptr, FILE_END)) return fail();
    while (!bytes.empty()) {
        DWORD written = 0;
        const auto wanted = static_cast<DWORD>(std::min(bytes.size(), kMostAtOnce));
        if (!::WriteFile(fileOf(handle_), bytes.data(), wanted, &written, nullptr) || written == 0) return fail();
        bytes = bytes.subspan(written);
    }
    return true;
}

bool LockedFile::empty() {
    const bool isEmpty =
        ::SetFilePointerEx(fileOf(handle_), {}, nullptr, FILE_BEGIN) && ::SetEndOfFile(fileOf(handle_));
    return isEmpty || fail();
}

bool LockedFile::rename(const std::filesystem::path& from, const std::filesystem::path& to) {
    return ::MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING) || fail();
}

void LockedFile::close() {
    if (handle_ != kNone) ::CloseHandle(fileOf(handle_));
    handle_ = kNone;
    state_ = State::Closed;
}

bool LockedFile::fail() {
    problem_ = std::system_category().message(static_cast<int>(::GetLastError()));
    return false;
}

} // namespace highwater::symbols
