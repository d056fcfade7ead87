#include "core/source/etw/crash_cleanup_windows.h"

#include "core/source/etw/etw_properties_windows.h"

#include <atomic>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <vector>

namespace highwater::source::crash_cleanup {
namespace {

constexpr int kLockTries = 50;
constexpr DWORD kLockPauseMs = 10;

/// Created once and never destroyed, because a crash may happen at any time.
struct CleanUp {
    std::mutex mutex;
    std::vector<std::pair<decltype(EtwApi::controlTrace), std::wstring>> sessions;
    void (*restoreFlags)() = nullptr;
    LPTOP_LEVEL_EXCEPTION_FILTER filterBefore = nullptr;
    std::terminate_handler terminateBefore = nullptr;
};

CleanUp& state() {
    static auto* const state = new CleanUp;
    return *state;
}

/// After a crash the memory may be corrupt, and the crashed thread may hold the lock forever.
void cleanUp() {
    static std::atomic_flag isDone;
    if (isDone.test_and_set()) return;
    auto& s = state();
    std::unique_lock lock(s.mutex, std::try_to_lock);
    for (int i = 0; i < kLockTries && !lock.owns_lock(); ++i) {
        ::Sleep(kLockPauseMs);
        (void)lock.try_lock();
    }
    for (const auto& [controlTrace, name] : s.sessions) {
        EtwProperties properties;
        (void)controlTrace(0, name.c_str(), properties.get(), EVENT_TRACE_CONTROL_STOP);
    }
    if (s.restoreFlags != nullptr) s.restoreFlags();
}

LONG WINAPI onCrash(EXCEPTION_POINTERS* exception) {
    cleanUp();
    const auto before = state().filterBefore;
    return before != nullptr ? before(exception) : EXCEPTION_CONTINUE_SEARCH;
}

void onTerminate() {
    cleanUp();
    if (const auto before = state().terminateBefore) before();
    std::abort();
}

/// The console window is closed, the user logs off, or Ctrl+Break was pressed: Windows is about to end this process.
/// The recorder handles Ctrl+C itself.
BOOL WINAPI onConsoleEvent(DWORD event) {
    if (event != CTRL_C_EVENT) cleanUp();
    return FALSE;
}

void install() {
    static std::once_flag once;
    std::call_once(once, [] {
        state().filterBefore = ::SetUnhandledExceptionFilter(onCrash);
        state().terminateBefore = std::set_terminate(onTerminate);
        std::atexit(cleanUp);
        ::SetConsoleCtrlHandler(onConsoleEvent, TRUE);
    });
}

} // namespace

void add(const EtwApi& api, const std::wstring& session) {
    install();
    const std::lock_guard lock(state().mutex);
    state().sessions.emplace_back(api.controlTrace, session);
}

void remove(const std::wstring& session) {
    const std::lock_guard lock(state().mutex);
    std::erase_if(state().sessions, [&](const auto& entry) { return entry.second == session; });
}

void setRestorer(void (*restoreFlags)()) {
    install();
    const std::lock_guard lock(state().mutex);
    state().restoreFlags = restoreFlags;
}

} // namespace highwater::source::crash_cleanup
