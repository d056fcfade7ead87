#include "core/source/etw/system_rundown_windows.h"

#include "core/files/mapped_file.h"
#include "core/source/etw/windows_handle_windows.h"
#include "core/source/records/image_identity.h"

// after windows.h
#include <psapi.h>
#include <tlhelp32.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace highwater::source {
namespace {

/// The path of a module's file in a form that can be opened; the kernel uses \Device\HarddiskVolume3\...
std::wstring openablePath(const std::string& path) {
    auto wide = wideOf(path);
    constexpr std::wstring_view kSystemRoot = L"\\SystemRoot\\";
    if (wide.starts_with(kSystemRoot)) {
        std::array<wchar_t, MAX_PATH> windows{};
        ::GetWindowsDirectoryW(windows.data(), static_cast<UINT>(windows.size()));
        return std::wstring(windows.data()) + L'\\' + wide.substr(kSystemRoot.size());
    }
    constexpr std::wstring_view kDosPrefix = L"\\??\\";
    if (wide.starts_with(kDosPrefix)) return wide.substr(kDosPrefix.size());
    if (wide.starts_with(L"\\Device\\")) return L"\\\\?\\GLOBALROOT" + wide;
    return wide;
}

std::optional<ModuleIdentity> identityOfFile(const std::string& path) {
    const auto file = MappedFile::open(std::filesystem::path(openablePath(path)));
    if (!file.hasValue()) return std::nullopt;
    return readImageIdentity(file.value()->bytes());
}

std::optional<ModuleIdentity> identityInMemory(const SystemImage& image) {
    const WindowsHandle process(::OpenProcess(PROCESS_QUERY_INFORMATION | PROCESS_VM_READ, FALSE, image.pid));
    if (!process.isOpen()) return std::nullopt;
    std::vector<std::byte> room;
    const auto read = [&](std::uint64_t offset, std::size_t bytes) -> ByteSpan {
        if (image.size != 0 && offset >= image.size) return {};
        room.resize(bytes);
        SIZE_T got = 0;
        const auto* from = reinterpret_cast<const void*>(image.base + offset); // NOLINT: of another process
        if (!::ReadProcessMemory(process.get(), from, room.data(), bytes, &got)) return {};
        return ByteSpan(room).first(got);
    };
    return readImageIdentity(read, ImageLayout::Memory);
}

bool isVersionOf(const ModuleIdentity& identity, const SystemImage& image) {
    if (image.timeDateStamp == 0) return true;
    return identity.timeDateStamp == image.timeDateStamp && (image.size == 0 || identity.imageSize == image.size);
}

} // namespace

std::vector<SystemImage> modulesOf(std::uint32_t pid) {
    std::vector<SystemImage> images;
    constexpr int kTries = 5; // retried because the process may be loading modules at this moment
    WindowsHandle snapshot;
    for (int i = 0; i < kTries && !snapshot.isOpen(); ++i) {
        snapshot = WindowsHandle(::CreateToolhelp32Snapshot(TH32CS_SNAPMODULE | TH32CS_SNAPMODULE32, pid));
        if (!snapshot.isOpen() && ::GetLastError() != ERROR_BAD_LENGTH) break;
    }
    if (!snapshot.isOpen()) return images;
    MODULEENTRY32W entry{};
    entry.dwSize = sizeof(entry);
    for (BOOL more = ::Module32FirstW(snapshot.get(), &entry); more; more = ::Module32NextW(snapshot.get(), &entry)) {
        images.push_back(
            {pid, reinterpret_cast<Address>(entry.modBaseAddr), entry.modBaseSize, 0, utf8Of(entry.szExePath)});
    }
    return images;
}

std::vector<SystemImage> kernelModules() {
    std::vector<SystemImage> images;
    std::vector<void*> bases(4096);
    DWORD bytes = 0;
    const auto room = static_cast<DWORD>(bases.size() * sizeof(void*));
    if (!::EnumDeviceDrivers(bases.data(), room, &bytes)) return images;
    bases.resize(std::min(bytes, room) / sizeof(void*));
    for (auto* base : bases) {
        std::array<wchar_t, 1024> path{};
        const auto length = ::GetDeviceDriverFileNameW(base, path.data(), static_cast<DWORD>(path.size()));
        if (base == nullptr || length == 0) continue; // without administrator rights modules have no addresses
        SystemImage image{0, reinterpret_cast<Address>(base), 0, 0, utf8Of({path.data(), length})};
        const auto identity = identityOfFile(image.path);
        if (!identity) continue;
        image.size = identity->imageSize;
        image.timeDateStamp = identity->timeDateStamp;
        images.push_back(std::move(image));
    }
    return images;
}

std::vector<SystemProcess> systemProcesses() {
    std::vector<SystemProcess> processes;
    const WindowsHandle snapshot(::CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0));
    if (!snapshot.isOpen()) return processes;
    PROCESSENTRY32W entry{};
    entry.dwSize = sizeof(entry);
    for (BOOL more = ::Process32FirstW(snapshot.get(), &entry); more; more = ::Process32NextW(snapshot.get(), &entry)) {
        processes.push_back({entry.th32ProcessID, entry.th32ParentProcessID, utf8Of(entry.szExeFile)});
    }
    return processes;
}

std::vector<std::pair<std::string, std::string>> volumes() {
    std::array<wchar_t, MAX_PATH> windows{};
    ::GetWindowsDirectoryW(windows.data(), static_cast<UINT>(windows.size()));
    std::vector<std::pair<std::string, std::string>> found{
        {"\\SystemRoot\\", utf8Of(windows.data()) + '\\'}, {"\\Device\\Mup\\", "\\\\"}, {"\\??\\", ""}};
    const auto drives = ::GetLogicalDrives();
    for (int i = 0; i < 26; ++i) {
        if ((drives >> i & 1) == 0) continue;
        const std::wstring drive{static_cast<wchar_t>(L'A' + i), L':'};
        std::array<wchar_t, 1024> device{};
        if (::QueryDosDeviceW(drive.c_str(), device.data(), static_cast<DWORD>(device.size())) == 0) continue;
        found.emplace_back(utf8Of(device.data()) + '\\', utf8Of(drive) + '\\');
    }
    return found;
}

std::optional<ModuleIdentity> ImageIdentities::of(const SystemImage& image) {
    const Version version{image.path, image.timeDateStamp, image.size};
    if (const auto found = known_.find(version); found != known_.end()) return found->second;
    auto identity = identityOfFile(image.path);
    if (identity && !isVersionOf(*identity, image)) identity.reset();
    if (!identity && image.pid != 0) identity = identityInMemory(image);
    if (identity && !isVersionOf(*identity, image)) identity.reset();
    known_[version] = identity;
    return identity;
}

} // namespace highwater::source
