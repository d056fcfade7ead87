#include "core/source/running_processes.h"

#include "core/source/windows_handle_windows.h"

// after windows.h
#include <psapi.h>
#include <tlhelp32.h>

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
    PROCESS_MEMORY_COUNTERS_EX memory{};
    memory.cb = sizeof(memory);
    if (::GetProcessMemoryInfo(handle.get(), reinterpret_cast<PROCESS_MEMORY_COUNTERS*>(&memory), sizeof(memory))) {
        process.privateBytes = memory.PrivateUsage;
    }
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
