#include "core/agent_linux/trial/process_copy.h"

#include "core/agent_linux/recording_state.h"
#include "core/agent_linux/restriction.h"
#include "core/agent_linux/system_calls.h"
#include "core/agent_linux/thread_recorder.h"
#include "core/agent_linux/trial/copy_answer.h"
#include "core/agent_linux/trial/signal_action.h"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <ctime>
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Three processes take part. The thread of the program makes an assistant by vfork: it shares the program's memory, and
// the thread waits for it. The assistant forks the copy and ends at once. Therefore only one thread copies the page
// tables, once, and the copy is an orphan, which init waits for, not the program. The assistant has no exit signal, so
// that the program gets no SIGCHLD, and is invisible to wait() without __WCLONE.
namespace highwater::agent {

namespace {

constexpr std::size_t kStackBytes = 64 * 1024;
constexpr int kLastSignal = 64;
constexpr int kFirstFile = 16; ///< beyond the standard files, to which libc may write

/// The system kills the copy then, even if it waits for a lock and its requester is gone.
bool limitTime(long mostSeconds) {
    sigevent end{};
    end.sigev_notify = SIGEV_SIGNAL;
    end.sigev_signo = SIGKILL;
    int timer = 0;
    if (systemCall(SYS_timer_create, CLOCK_MONOTONIC, asArgument(&end), asArgument(&timer)) < 0) return false;
    const itimerspec once{{0, 0}, {mostSeconds, 0}};
    return systemCall(SYS_timer_settime, timer, 0, asArgument(&once), 0) == 0;
}

/// No handler of the program runs in the copy.
void resetSignals() {
    const SignalAction standard{};
    for (int signal = 1; signal <= kLastSignal; ++signal)
        act(signal, standard);
}

/// The peers of the program's connections must not wait for the copy to close them.
int closeAllBut(int file) {
    const long moved = systemCall(SYS_fcntl, file, F_DUPFD, kFirstFile);
    const long kept = moved >= 0 ? moved : file;
    constexpr long kCloseRange = 436; // SYS_close_range, since Linux 5.9
    constexpr long kLast = 0xFFFFFFFFl, kMostTried = 4096;
    if ((kept > 0 && systemCall(kCloseRange, 0, kept - 1, 0) == -ENOSYS) ||
        systemCall(kCloseRange, kept + 1, kLast, 0) == -ENOSYS) {
        for (long other = 0; other < kMostTried; ++other)
            if (other != kept) systemCall(SYS_close, other);
    }
    return static_cast<int>(kept);
}

/// If memory becomes scarce, the system ends the copy, not the program.
void beFirstToGo() {
    static constexpr char kMost[] = "1000";
    const long file = systemCall(SYS_openat, AT_FDCWD, asArgument("/proc/self/oom_score_adj"), O_WRONLY);
    if (file < 0) return;
    systemCall(SYS_write, file, asArgument(kMost), sizeof kMost - 1);
    systemCall(SYS_close, file);
}

/// Protects the copy from signals that are sent to the program's process group.
void standApart(const char* name) {
    systemCall(SYS_setsid);
    systemCall(SYS_prctl, PR_SET_NAME, asArgument(name));
}

[[noreturn]] void beCopy(const CopyWork& work, int file) {
    recording.owner = nullptr; // allocators call our hooks, and the channel is the program's
    const bool isLimited = limitTime(work.mostSeconds);
    if (isLimited) {
        resetSignals();
        beFirstToGo();
        standApart(work.name);
        file = closeAllBut(file);
    }
    work.run(file, isLimited);
    while (true)
        systemCall(SYS_exit_group, 0);
}

struct Request {
    const CopyWork& work;
    int file;
    long copy;
};

int assist(void* argument) {
    auto& request = *static_cast<Request*>(argument);
    request.copy = systemCall(SYS_clone, SIGCHLD);
    if (request.copy == 0) beCopy(request.work, request.file);
    return 0;
}

/// The calling thread must not get signals: their handlers would run twice, in the same memory.
long copyProcess(const CopyWork& work, int file, char* stack) {
    Request request{work, file, -ENOMEM};
    // Not CLONE_FS: a program that executes another one meanwhile would not get that one's additional rights.
    const int assistant = clone(assist, stack + kStackBytes, CLONE_VM | CLONE_VFORK | CLONE_FILES, &request);
    if (assistant < 0) return -errno;
    systemCall(SYS_wait4, assistant, 0, __WCLONE, 0);
    return request.copy;
}

long copyWithOwnStack(const CopyWork& work, int file) {
    auto* const stack = static_cast<char*>(takePages(kStackBytes));
    if (stack == nullptr) return -ENOMEM;
    const std::uint64_t all = ~std::uint64_t{0};
    std::uint64_t before = 0;
    const int error = errno;
    systemCall(SYS_rt_sigprocmask, SIG_SETMASK, asArgument(&all), asArgument(&before), sizeof all);
    const long copy = copyProcess(work, file, stack);
    systemCall(SYS_rt_sigprocmask, SIG_SETMASK, asArgument(&before), 0, sizeof before);
    errno = error;
    returnPages(stack, kStackBytes);
    return copy;
}

/// The file may have ended with its requester: the path then leads to any other file.
bool isFileOfRequester(long file, std::uint64_t expected) {
    struct stat facts {};
    std::uint64_t magic = 0;
    return systemCall(SYS_fstat, file, asArgument(&facts)) == 0 && S_ISREG(facts.st_mode) &&
           systemCall(SYS_pread64, file, asArgument(&magic), sizeof magic, 0) == sizeof magic && magic == expected;
}

/// Orphans get the nearest such process, or process 1, as their parent, which then gets SIGCHLD.
bool adoptsOrphans() {
    int adopts = 0;
    systemCall(SYS_prctl, PR_GET_CHILD_SUBREAPER, asArgument(&adopts));
    return adopts != 0 || systemCall(SYS_getpid) == 1;
}

/// A program that is killed by a signal from outside would leave a core file. The limit 1 also applies where core files
/// are piped to another program.
void leaveNoCore() {
    const rlimit none{1, 1};
    systemCall(SYS_setrlimit, RLIMIT_CORE, asArgument(&none));
}

/// Waits for a lock on the file, which the system takes from the requester when it ends.
void waitForRequester(int file, bool isLimited) {
    CopyAnswer answer;
    systemCall(SYS_pread64, file, asArgument(&answer), sizeof answer, 0);
    leaveNoCore();
    emptyThreadStates();
    systemCall(SYS_prctl, PR_SET_PTRACER, static_cast<long>(answer.requester));
    const CopyState state = isLimited ? CopyState::Ready : CopyState::Unlimited;
    systemCall(SYS_pwrite64, file, asArgument(&state), sizeof state, offsetof(CopyAnswer, state));
    while (isLimited && systemCall(SYS_flock, file, LOCK_SH) == -EINTR) {
    }
}

constexpr CopyWork kReadable{kCopyMagic, kCopyName, kCopySeconds, waitForRequester};

} // namespace

int startCopy(const char* path, const CopyWork& work) {
    const AgentCalls calls;
    if (!calls.arePermitted()) return static_cast<int>(CopyRefusal::Restricted);
    if (adoptsOrphans()) return static_cast<int>(CopyRefusal::Adopting);
    constexpr int kHow = O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    const long file = systemCall(SYS_openat, AT_FDCWD, asArgument(path), kHow);
    if (file < 0) return static_cast<int>(CopyRefusal::NoFile);
    const int result = isFileOfRequester(file, work.magic)
                           ? static_cast<int>(copyWithOwnStack(work, static_cast<int>(file)))
                           : static_cast<int>(CopyRefusal::NoFile);
    systemCall(SYS_close, file);
    return result;
}

int startReadableCopy(const char* path) { return startCopy(path, kReadable); }

} // namespace highwater::agent
