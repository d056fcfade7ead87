#include "core/source/contract/process_copy.h"

#include "core/source/systems/address_space_windows.h"
#include "core/source/systems/copied_process.h"

// after windows.h
#include <tlhelp32.h>

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace highwater::source {
namespace {

constexpr DWORD kWantedRights = PROCESS_VM_READ | PROCESS_CREATE_PROCESS; ///< the latter for a clone
constexpr DWORD kEnoughRights = PROCESS_VM_READ;

// processsnapshot.h, which mingw-w64 lacks.
constexpr DWORD kCaptureClone = 0x00000001, kBreakawayOptional = 0x04000000, kReleaseSection = 0x80000000;
constexpr int kQueryClone = 1; ///< PSS_QUERY_VA_CLONE_INFORMATION: a handle

/// Functions that some systems lack.
struct SnapshotApi {
    using Snapshot = void*;
    DWORD(WINAPI* capture)(HANDLE process, DWORD flags, DWORD contextFlags, Snapshot* snapshot) = nullptr;
    DWORD(WINAPI* query)(Snapshot snapshot, int what, void* buffer, DWORD bytes) = nullptr;
    DWORD(WINAPI* release)(HANDLE process, Snapshot snapshot) = nullptr;
    HRESULT(WINAPI* description)(HANDLE thread, PWSTR* text) = nullptr;
    LONG(NTAPI* informationOfThread)(HANDLE thread, int what, void* buffer, ULONG bytes, ULONG* got) = nullptr;
};

template <typename Function>
void load(HMODULE library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(reinterpret_cast<void*>(::GetProcAddress(library, name)));
}

const SnapshotApi& api() {
    static const SnapshotApi kApi = [] {
        SnapshotApi found;
        auto* const kernel = ::GetModuleHandleW(L"kernel32.dll");
        load(kernel, "PssCaptureSnapshot", found.capture);
        load(kernel, "PssQuerySnapshot", found.query);
        load(kernel, "PssFreeSnapshot", found.release);
        load(kernel, "GetThreadDescription", found.description);
        load(::GetModuleHandleW(L"ntdll.dll"), "NtQueryInformationThread", found.informationOfThread);
        return found;
    }();
    return kApi;
}

/// A process without threads that has the memory of another one.
class Clone {
  public:
    /// 0: made.
    [[nodiscard]] DWORD make(HANDLE process) {
        auto error = api().capture(process, kCaptureClone | kBreakawayOptional | kReleaseSection, 0, &snapshot_);
        if (error == ERROR_SUCCESS) error = api().query(snapshot_, kQueryClone, &process_, sizeof(process_));
        return error == ERROR_SUCCESS && process_ == nullptr ? ERROR_INVALID_HANDLE : error;
    }
    Clone() = default;
    ~Clone() {
        if (process_ != nullptr) ::TerminateProcess(process_, 0);
        if (snapshot_ != nullptr) api().release(::GetCurrentProcess(), snapshot_);
    }
    Clone(const Clone&) = delete;
    Clone& operator=(const Clone&) = delete;
    [[nodiscard]] HANDLE process() const { return process_; }

  private:
    SnapshotApi::Snapshot snapshot_ = nullptr;
    HANDLE process_ = nullptr; ///< belongs to the snapshot
};

class RunningProcess final : public StoppableProcess {
  public:
    explicit RunningProcess(std::uint32_t pid) : pid_(pid), space_(pid, kWantedRights) {
        if (!space_.isOpen()) space_ = AddressSpace(pid, kEnoughRights);
    }
    ~RunningProcess() override { RunningProcess::resume(); }
    RunningProcess(const RunningProcess&) = delete;
    RunningProcess& operator=(const RunningProcess&) = delete;

    [[nodiscard]] AddressSpace& space() { return space_; }
    [[nodiscard]] std::uint32_t pid() const override { return pid_; }
    [[nodiscard]] std::string title() const override { return space_.described(); }
    [[nodiscard]] MemoryRegions& regions() override { return space_; }
    [[nodiscard]] std::vector<std::uint32_t> threads() override {
        std::vector<std::uint32_t> found;
        const WindowsHandle all(::CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0));
        THREADENTRY32 entry{};
        entry.dwSize = sizeof(entry);
        for (auto isThread = ::Thread32First(all.get(), &entry); isThread; isThread = ::Thread32Next(all.get(), &entry))
            if (entry.th32OwnerProcessID == pid_) found.push_back(entry.th32ThreadID);
        return found;
    }
    [[nodiscard]] Stop stop(std::uint32_t tid) override {
        constexpr DWORD kRights = THREAD_SUSPEND_RESUME | THREAD_GET_CONTEXT | THREAD_QUERY_INFORMATION;
        WindowsHandle thread(::OpenThread(kRights, FALSE, tid));
        if (!thread.isOpen()) return ::GetLastError() == ERROR_INVALID_PARAMETER ? Stop::Ended : Stop::Refused;
        if (::GetProcessIdOfThread(thread.get()) != pid_) return Stop::Ended; // the number was assigned again
        if (::SuspendThread(thread.get()) == static_cast<DWORD>(-1))
            return ::WaitForSingleObject(thread.get(), 0) == WAIT_OBJECT_0 ? Stop::Ended : Stop::Refused;
        stopped_.emplace(tid, std::move(thread));
        return Stop::Stopped;
    }
    [[nodiscard]] std::optional<CopiedThread> stateOf(std::uint32_t tid) override;
    void resume() override {
        for (const auto& [tid, thread] : stopped_)
            ::ResumeThread(thread.get());
        stopped_.clear();
    }
    [[nodiscard]] Result<Read> clone() override {
        const auto why = [](std::string text) { return Error{ErrorKind::Unsupported, std::move(text)}; };
        if (api().capture == nullptr || api().query == nullptr || api().release == nullptr)
            return why("this version cannot clone processes");
        const auto made = std::make_shared<Clone>();
        if (const auto error = made->make(space_.process()); error != ERROR_SUCCESS)
            return why(fmt::format("error {}", error));
        return Read([made](Address from, std::span<std::byte> to) { return readMemoryOf(made->process(), from, to); });
    }
    [[nodiscard]] std::size_t read(Address from, std::span<std::byte> to) const override {
        return readMemoryOf(space_.process(), from, to);
    }

  private:
    [[nodiscard]] std::string nameOf(HANDLE thread) const;

    std::uint32_t pid_;
    AddressSpace space_;
    std::map<std::uint32_t, WindowsHandle> stopped_;
};

Address environmentBlockOf(HANDLE thread) {
    struct BasicInformation { // THREAD_BASIC_INFORMATION
        LONG exitStatus;
        void* environmentBlock;
        HANDLE process, thread;
        ULONG_PTR affinity;
        LONG priority, basePriority;
    };
    constexpr int kBasicInformation = 0;
    BasicInformation information{};
    if (api().informationOfThread == nullptr) return 0;
    const auto status =
        api().informationOfThread(thread, kBasicInformation, &information, sizeof(information), nullptr);
    return status >= 0 ? reinterpret_cast<Address>(information.environmentBlock) : 0;
}

std::optional<CopiedThread> RunningProcess::stateOf(std::uint32_t tid) {
    const auto found = stopped_.find(tid);
    if (found == stopped_.end()) return std::nullopt;
    auto* const thread = found->second.get();
    CONTEXT context{};
    context.ContextFlags = CONTEXT_CONTROL | CONTEXT_INTEGER;
    if (!::GetThreadContext(thread, &context)) return std::nullopt;
    CopiedThread state;
    state.tid = tid;
    state.name = nameOf(thread);
    state.instruction = context.Rip;
    state.stackPointer = context.Rsp;
    state.environmentBlock = environmentBlockOf(thread);
    state.registers = {context.Rax, context.Rdx, context.Rcx, context.Rbx, context.Rsi, context.Rdi,
                       context.Rbp, context.Rsp, context.R8,  context.R9,  context.R10, context.R11,
                       context.R12, context.R13, context.R14, context.R15}; // in the order of DWARF
    return state;
}

/// A thread without a name has that of the program, as on Linux.
std::string RunningProcess::nameOf(HANDLE thread) const {
    std::string name;
    PWSTR text = nullptr;
    if (api().description != nullptr && SUCCEEDED(api().description(thread, &text)) && text != nullptr) {
        name = utf8Of(text);
        ::LocalFree(text);
    }
    if (!name.empty()) return name;
    const auto title = space_.described();
    return title.substr(0, title.rfind(" ("));
}

Error notCopied(const AddressSpace& process, ErrorKind kind, std::string_view why) {
    return {kind, fmt::format("{} was not copied because {}", process.described(), why)};
}

Result<std::unique_ptr<RunningProcess>> openProcess(std::uint32_t pid) {
    auto process = std::make_unique<RunningProcess>(pid);
    const auto& space = process->space();
    if (pid == ::GetCurrentProcessId())
        return notCopied(space, ErrorKind::Unsupported, "Highwater cannot stop itself. Choose another process.");
    if (!space.isOpen()) {
        if (space.error() == ERROR_INVALID_PARAMETER)
            return Error{ErrorKind::NotFound, fmt::format("Process {} does not exist.", pid)};
        if (space.error() == ERROR_ACCESS_DENIED)
            return notCopied(space, ErrorKind::AccessDenied,
                             "Windows denied access to it. The process belongs to another user, has more rights, or "
                             "is protected. Run Highwater as administrator.");
        return notCopied(space, ErrorKind::Io, fmt::format("Windows did not open it (error {}).", space.error()));
    }
    if (space.hasEnded()) return Error{ErrorKind::NotFound, fmt::format("Process {} has ended.", pid)};
    BOOL is32Bit = FALSE;
    if (::IsWow64Process(space.process(), &is32Bit) && is32Bit)
        return notCopied(space, ErrorKind::Unsupported,
                         "it is a 32-bit program. Highwater takes pictures of 64-bit programs only.");
    return process;
}

} // namespace

Result<void> checkProcessCopy(std::uint32_t pid) {
    TRY(openProcess(pid));
    return {};
}

Result<std::unique_ptr<ProcessCopy>> copyProcess(std::uint32_t pid, const std::function<std::int64_t()>& clock,
                                                 const std::stop_token& stop) {
    auto process = TRY(openProcess(pid));
    return copyStopped(std::move(process), clock, stop);
}

} // namespace highwater::source
