#include "core/source/wpr/wpr_runner_windows.h"

#include "core/source/etw/target_process_windows.h"
#include "core/source/etw/windows_handle_windows.h"

#include <array>
#include <thread>

namespace highwater::source {
namespace {

constexpr std::size_t kMostOutput = 64 * 1024;

std::wstring pathOfWpr() {
    std::array<wchar_t, MAX_PATH> folder{};
    const auto length = ::GetSystemDirectoryW(folder.data(), static_cast<UINT>(folder.size()));
    if (length == 0 || length >= folder.size()) return {};
    auto path = std::wstring(folder.data(), length) + L"\\wpr.exe";
    return ::GetFileAttributesW(path.c_str()) == INVALID_FILE_ATTRIBUTES ? std::wstring() : path;
}

/// Both ends of a pipe; the child inherits the writing end.
struct Pipe {
    WindowsHandle reading;
    WindowsHandle writing;
    Pipe() {
        SECURITY_ATTRIBUTES inherited{sizeof(inherited), nullptr, TRUE};
        HANDLE read = nullptr;
        HANDLE write = nullptr;
        if (!::CreatePipe(&read, &write, &inherited, 0)) return;
        reading = WindowsHandle(read);
        writing = WindowsHandle(write);
        (void)::SetHandleInformation(read, HANDLE_FLAG_INHERIT, 0);
    }
};

/// Reads until the other end is closed. Reads and discards everything beyond the limit, so that the writer does not
/// block.
void readAll(HANDLE pipe, std::string& output) {
    std::array<char, 4096> bytes{};
    DWORD count = 0;
    while (::ReadFile(pipe, bytes.data(), static_cast<DWORD>(bytes.size()), &count, nullptr) && count > 0)
        if (output.size() < kMostOutput) output.append(bytes.data(), count);
}

/// Makes the job end all processes that the process starts, so that none of them keeps the pipe open.
WindowsHandle jobThatEndsAll() {
    WindowsHandle job(::CreateJobObjectW(nullptr, nullptr));
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    (void)::SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits, sizeof(limits));
    return job;
}

} // namespace

WprOutcome SystemWprRunner::run(const std::vector<std::string>& arguments, std::chrono::seconds limit) {
    const auto path = pathOfWpr();
    if (path.empty()) return {WprOutcome::Kind::Missing, 0, {}};
    Pipe pipe;
    STARTUPINFOW start{};
    start.cb = sizeof(start);
    start.dwFlags = STARTF_USESTDHANDLES;
    start.hStdOutput = start.hStdError = pipe.writing.get();
    PROCESS_INFORMATION made{};
    auto line = commandLineOf("wpr", arguments);
    auto job = jobThatEndsAll();
    if (!::CreateProcessW(path.c_str(), line.data(), nullptr, nullptr, TRUE, CREATE_NO_WINDOW | CREATE_SUSPENDED,
                          nullptr, nullptr, &start, &made))
        return {WprOutcome::Kind::NotStarted, ::GetLastError(), {}};
    const WindowsHandle process(made.hProcess);
    const WindowsHandle thread(made.hThread);
    (void)::AssignProcessToJobObject(job.get(), process.get());
    ::ResumeThread(thread.get());
    pipe.writing = WindowsHandle();
    WprOutcome outcome;
    std::thread reader([&] { readAll(pipe.reading.get(), outcome.output); });
    const auto wait = static_cast<DWORD>(std::chrono::milliseconds(limit).count());
    if (::WaitForSingleObject(process.get(), wait) != WAIT_OBJECT_0) {
        outcome.kind = WprOutcome::Kind::TimedOut;
        (void)::TerminateProcess(process.get(), 1);
        (void)::WaitForSingleObject(process.get(), INFINITE);
    }
    job = WindowsHandle();
    reader.join();
    DWORD code = 0;
    if (::GetExitCodeProcess(process.get(), &code)) outcome.exitCode = code;
    return outcome;
}

} // namespace highwater::source
