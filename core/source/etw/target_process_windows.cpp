#include "core/source/etw/target_process_windows.h"

#include <fmt/format.h>
#include <winternl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <vector>

namespace highwater::source {
namespace {

Error cannotLaunch(const CaptureLaunch& launch, DWORD code) {
    const auto because = [&](ErrorKind kind, std::string_view why) {
        return Error{kind, fmt::format("{} cannot be started because {}", launch.program, why)};
    };
    switch (code) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
        return because(ErrorKind::NotFound, "the program does not exist.");
    case ERROR_DIRECTORY:
        return because(ErrorKind::NotFound, "the working folder does not exist.");
    case ERROR_ACCESS_DENIED:
        return because(ErrorKind::AccessDenied, "you have no permission to run it.");
    case ERROR_BAD_EXE_FORMAT:
    case ERROR_EXE_MACHINE_TYPE_MISMATCH:
        return because(ErrorKind::Unsupported, "it is not a program for this version of Windows.");
    case 740: // ERROR_ELEVATION_REQUIRED, which mingw lacks
        return because(ErrorKind::AccessDenied,
                       "it requires administrator rights. Restart Highwater as administrator.");
    default:
        return because(ErrorKind::Io, fmt::format("Windows refused to start it (error {}).", code));
    }
}

/// Variable names are not case-sensitive.
struct NameOrder {
    bool operator()(const std::wstring& a, const std::wstring& b) const { return ::_wcsicmp(a.c_str(), b.c_str()) < 0; }
};

/// The environment of this process plus these assignments, in the order that Windows requires.
Result<std::wstring> environmentWith(const std::vector<std::string>& assignments) {
    std::map<std::wstring, std::wstring, NameOrder> variables;
    const auto add = [&variables](const std::wstring& assignment) {
        const auto equals = assignment.find(L'=', 1); // "=C:=C:\..." is also a variable
        if (equals == std::wstring::npos) return false;
        variables[assignment.substr(0, equals)] = assignment.substr(equals + 1);
        return true;
    };
    auto* const own = ::GetEnvironmentStringsW();
    for (const auto* at = own; at != nullptr && *at != L'\0'; at += std::wstring_view(at).size() + 1)
        add(at);
    ::FreeEnvironmentStringsW(own);
    for (const auto& assignment : assignments) {
        if (assignment.starts_with('=') || !add(wideOf(assignment))) {
            return Error{ErrorKind::Usage,
                         fmt::format("{} is not an environment variable. Write NAME=value.", assignment)};
        }
    }
    std::wstring block;
    for (const auto& [name, value] : variables)
        block += name + L'=' + value + L'\0';
    block += L'\0';
    return block;
}

/// Quotes a word for the parser of the C runtime, in which backslashes are special only before a quotation mark.
std::wstring quoted(const std::wstring& word) {
    if (!word.empty() && word.find_first_of(L" \t\n\v\"") == std::wstring::npos) return word;
    std::wstring result = L"\"";
    std::size_t backslashes = 0;
    for (const auto letter : word) {
        if (letter == L'\\') {
            ++backslashes;
            continue;
        }
        if (letter == L'"') backslashes = backslashes * 2 + 1;
        result.append(backslashes, L'\\');
        backslashes = 0;
        result += letter;
    }
    result.append(backslashes * 2, L'\\');
    return result + L'"';
}

/// Makes a launched program inherit the standard streams, and no other handles that are open here.
class StandardHandles {
  public:
    StandardHandles() {
        for (const DWORD which : {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE})
            add(::GetStdHandle(which));
        if (handles_.empty()) return;
        SIZE_T bytes = 0;
        (void)::InitializeProcThreadAttributeList(nullptr, 1, 0, &bytes);
        memory_.resize(bytes);
        auto* const list = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data());
        if (!::InitializeProcThreadAttributeList(list, 1, 0, &bytes)) return;
        list_ = list;
        isComplete_ = ::UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(),
                                                  handles_.size() * sizeof(HANDLE), nullptr, nullptr) != FALSE;
    }
    ~StandardHandles() {
        if (list_ != nullptr) ::DeleteProcThreadAttributeList(list_);
    }
    StandardHandles(const StandardHandles&) = delete;
    StandardHandles& operator=(const StandardHandles&) = delete;

    /// Null: nothing is inherited.
    [[nodiscard]] LPPROC_THREAD_ATTRIBUTE_LIST attributes() const { return isComplete_ ? list_ : nullptr; }

  private:
    /// The list accepts each handle only once, and only inheritable ones.
    void add(HANDLE handle) {
        if (handle == nullptr || handle == INVALID_HANDLE_VALUE) return;
        if (std::find(handles_.begin(), handles_.end(), handle) != handles_.end()) return;
        if (::SetHandleInformation(handle, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT)) handles_.push_back(handle);
    }

    std::vector<HANDLE> handles_;
    std::vector<std::byte> memory_;
    LPPROC_THREAD_ATTRIBUTE_LIST list_ = nullptr;
    bool isComplete_ = false;
};

} // namespace

std::wstring programFile(const std::string& program) {
    std::array<wchar_t, 32768> path{};
    const auto name = wideOf(program);
    const auto length =
        ::SearchPathW(nullptr, name.c_str(), L".exe", static_cast<DWORD>(path.size()), path.data(), nullptr);
    return length > 0 && length < path.size() ? std::wstring(path.data(), length) : std::wstring();
}

std::wstring commandLineOf(const std::string& program, const std::vector<std::string>& arguments) {
    auto line = quoted(wideOf(program));
    for (const auto& argument : arguments)
        line += L' ' + quoted(wideOf(argument));
    return line;
}

TargetProcess::TargetProcess(WindowsHandle process, std::uint32_t pid) : process_(std::move(process)), pid_(pid) {
    BOOL isWow64 = FALSE;
    is32Bit_ = ::IsWow64Process(process_.get(), &isWow64) && isWow64;
}

Result<TargetProcess> TargetProcess::attach(std::uint32_t pid) {
    constexpr DWORD kWanted = SYNCHRONIZE | PROCESS_QUERY_INFORMATION | PROCESS_VM_READ;
    constexpr DWORD kEnough = SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION;
    WindowsHandle process(::OpenProcess(kWanted, FALSE, pid));
    if (!process.isOpen()) process = WindowsHandle(::OpenProcess(kEnough, FALSE, pid));
    if (!process.isOpen()) {
        if (::GetLastError() == ERROR_ACCESS_DENIED) {
            return Error{ErrorKind::AccessDenied,
                         fmt::format("Process {} cannot be recorded because it is a system process or requires "
                                     "administrator rights.",
                                     pid)};
        }
        return Error{ErrorKind::NotFound, fmt::format("Process {} does not exist.", pid)};
    }
    return TargetProcess(std::move(process), pid);
}

Result<TargetProcess> TargetProcess::launch(const CaptureLaunch& launch) {
    const auto file = programFile(launch.program);
    if (file.empty()) return cannotLaunch(launch, ERROR_FILE_NOT_FOUND);
    auto environment = TRY(environmentWith(launch.environment));
    auto line = commandLineOf(launch.program, launch.arguments);
    StandardHandles handles;
    STARTUPINFOEXW start{};
    start.lpAttributeList = handles.attributes();
    const DWORD extended = start.lpAttributeList != nullptr ? EXTENDED_STARTUPINFO_PRESENT : 0;
    start.StartupInfo.cb = extended != 0 ? sizeof(start) : sizeof(start.StartupInfo);
    PROCESS_INFORMATION made{};
    const auto folder = launch.folder.wstring();
    const BOOL isMade = ::CreateProcessW(file.c_str(), line.data(), nullptr, nullptr, extended != 0,
                                         CREATE_SUSPENDED | CREATE_UNICODE_ENVIRONMENT | extended, environment.data(),
                                         folder.empty() ? nullptr : folder.c_str(), &start.StartupInfo, &made);
    if (!isMade) return cannotLaunch(launch, ::GetLastError());
    TargetProcess target(WindowsHandle(made.hProcess), made.dwProcessId);
    target.thread_ = WindowsHandle(made.hThread);
    target.wasLaunched_ = true;
    return target;
}

TargetProcess::~TargetProcess() {
    if (thread_.isOpen()) ::TerminateProcess(process_.get(), 1);
}

void TargetProcess::resume() {
    if (!thread_.isOpen()) return;
    ::ResumeThread(thread_.get());
    thread_ = WindowsHandle();
}

bool TargetProcess::hasEnded() const { return ::WaitForSingleObject(process_.get(), 0) == WAIT_OBJECT_0; }

std::optional<std::uint32_t> TargetProcess::exitCode() const {
    DWORD code = 0;
    if (!::GetExitCodeProcess(process_.get(), &code)) return std::nullopt;
    return code;
}

std::optional<bool> TargetProcess::tracesItsHeaps() const {
    constexpr std::uintptr_t kTracingFlagsAt = 0x378; // offset in the process environment block of a 64-bit process
    constexpr std::uint32_t kHeapBit = 1;
    if (is32Bit_) return std::nullopt;
    using Query = LONG(NTAPI*)(HANDLE, INT, PVOID, ULONG, PULONG);
    const auto ntdll = ::GetModuleHandleW(L"ntdll.dll");
    const auto query =
        reinterpret_cast<Query>(reinterpret_cast<void*>(::GetProcAddress(ntdll, "NtQueryInformationProcess")));
    PROCESS_BASIC_INFORMATION basic{};
    if (query == nullptr || query(process_.get(), 0, &basic, sizeof(basic), nullptr) < 0) return std::nullopt;
    std::uint32_t flags = 0;
    SIZE_T read = 0;
    const auto* at = reinterpret_cast<const std::byte*>(basic.PebBaseAddress) + kTracingFlagsAt;
    if (!::ReadProcessMemory(process_.get(), at, &flags, sizeof(flags), &read) || read != sizeof(flags)) {
        return std::nullopt;
    }
    return (flags & kHeapBit) != 0;
}

} // namespace highwater::source
