#include "core/source/contract/running_processes.h"

#include "core/source/contract/process_memory.h"
#include "core/source/etw/windows_handle_windows.h"

// after windows.h
#include <tlhelp32.h>
#include <winternl.h>

#include <array>
#include <optional>
#include <vector>

namespace highwater::source {
namespace {

std::string userOf(HANDLE process) {
    HANDLE opened = nullptr;
    if (!::OpenProcessToken(process, TOKEN_QUERY, &opened)) return {};
    const WindowsHandle token(opened);
    DWORD bytes = 0;
    ::GetTokenInformation(token.get(), TokenUser, nullptr, 0, &bytes);
    std::vector<BYTE> room(bytes);
    if (bytes == 0 || !::GetTokenInformation(token.get(), TokenUser, room.data(), bytes, &bytes)) return {};
    const auto* user = reinterpret_cast<const TOKEN_USER*>(room.data());
    std::array<wchar_t, 256> name{}, domain{};
    DWORD nameLength = static_cast<DWORD>(name.size()), domainLength = static_cast<DWORD>(domain.size());
    SID_NAME_USE use{};
    if (!::LookupAccountSidW(nullptr, user->User.Sid, name.data(), &nameLength, domain.data(), &domainLength, &use)) {
        return {};
    }
    return utf8Of(name.data());
}

/// Does not need the right to read the memory of the process, which malware protection objects to.
std::string commandLineOf(HANDLE process) {
    constexpr INT kProcessCommandLineInformation = 60; // since Windows 8.1
    constexpr std::size_t kLongestText = 0xFFFE;
    using Query = LONG(NTAPI*)(HANDLE, INT, PVOID, ULONG, PULONG);
    static const auto query = reinterpret_cast<Query>(
        reinterpret_cast<void*>(::GetProcAddress(::GetModuleHandleW(L"ntdll.dll"), "NtQueryInformationProcess")));
    // The text follows its descriptor.
    alignas(UNICODE_STRING) std::array<std::byte, sizeof(UNICODE_STRING) + kLongestText + sizeof(wchar_t)> room{};
    const auto bytes = static_cast<ULONG>(room.size());
    if (query == nullptr || query(process, kProcessCommandLineInformation, room.data(), bytes, nullptr) < 0) return {};
    const auto* line = reinterpret_cast<const UNICODE_STRING*>(room.data());
    return utf8Of({line->Buffer, line->Length / sizeof(wchar_t)});
}

std::uint32_t bitsOf(HANDLE process) {
    BOOL isWow64 = FALSE;
    if (!::IsWow64Process(process, &isWow64)) return 0;
    return isWow64 ? 32 : 64;
}

void describe(RunningProcess& process) {
    const WindowsHandle handle(::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, process.pid));
    process.isRecordable = handle.isOpen();
    if (!handle.isOpen()) return;
    std::array<wchar_t, 32768> path{};
    DWORD length = static_cast<DWORD>(path.size());
    if (::QueryFullProcessImageNameW(handle.get(), 0, path.data(), &length)) process.path = utf8Of(path.data());
    if (const auto memory = memoryOf(process.pid)) process.privateBytes = memory->privateBytes;
    process.commandLine = commandLineOf(handle.get());
    process.user = userOf(handle.get());
    process.bits = bitsOf(handle.get());
}

} // namespace

std::vector<RunningProcess> runningProcesses() {
    std::vector<RunningProcess> processes;
    const WindowsHandle snapshot(::CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0));
    if (!snapshot.isOpen()) return processes;
    PROCESSENTRY32W entry{};
    entry.dwSize = sizeof(entry);
    for (BOOL more = ::Process32FirstW(snapshot.get(), &entry); more; more = ::Process32NextW(snapshot.get(), &entry)) {
        if (entry.th32ProcessID == 0) continue; // the idle process
        RunningProcess process;
        process.pid = entry.th32ProcessID;
        process.parentPid = entry.th32ParentProcessID;
        process.name = utf8Of(entry.szExeFile);
        process.isOwn = process.pid == ::GetCurrentProcessId();
        describe(process);
        processes.push_back(std::move(process));
    }
    return processes;
}

AttachSupport attachSupport() { return AttachSupport::Works; }

} // namespace highwater::source
