#include "core/agent_linux/trial/trim_trial.h"

#include "core/agent_linux/recording_state.h"
#include "core/agent_linux/restriction.h"
#include "core/agent_linux/system_calls.h"
#include "core/agent_linux/trial/other_allocators.h"
#include "core/agent_linux/trial/trim_answer.h"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <linux/futex.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

// Three processes take part. The thread of the program makes an assistant by vfork: it shares the program's memory, and
// the thread waits for it. The assistant forks the copy and ends at once. Therefore only one thread copies the page
// tables, once, and the copy is an orphan, which init waits for, not the program. The assistant has no exit signal, so
// that the program gets no SIGCHLD, and is invisible to wait() without __WCLONE.
namespace highwater::agent {

namespace {

constexpr std::size_t kStackBytes = 64 * 1024;
constexpr std::uint64_t kPage = 4096;
constexpr long kMostSeconds = 2;
constexpr long kLookUs = 2'000; ///< between two looks at a lock
constexpr int kLastSignal = 64;
constexpr int kFirstFile = 16; ///< beyond the standard files, to which libc may write

template <typename T>
long addressOf(const T* object) {
    return reinterpret_cast<long>(object);
}

/// The form in which the kernel gets an action, not that of libc.
struct Action {
    void (*handler)(int, siginfo_t*, void*);
    unsigned long flags;
    void (*restorer)();
    std::uint64_t mask;
};
constexpr unsigned long kRestorer = 0x04000000; // SA_RESTORER

/// The end of a signal handler: rt_sigreturn.
__attribute__((naked)) void returnFromSignal() { asm volatile("mov $15, %eax\n\tsyscall"); }

void act(int signal, const Action& action) {
    systemCall(SYS_rt_sigaction, signal, addressOf(&action), 0, sizeof action.mask);
}

/// The lock for which the interrupted code waits in a system call; null: it does not wait for one. The number of the
/// call is no longer known, and an allocator may also sleep: the arguments must be those of a wait for a lock.
volatile int* awaitedLock(void* context) {
    const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    constexpr unsigned char kSystemCall[2] = {0x0F, 0x05};
    if (registers[REG_RAX] != -EINTR ||
        std::memcmp(reinterpret_cast<const void*>(registers[REG_RIP] - 2), kSystemCall, sizeof kSystemCall) != 0)
        return nullptr;
    const long operation = registers[REG_RSI] & FUTEX_CMD_MASK;
    const auto futex = static_cast<std::uint64_t>(registers[REG_RDI]);
    const bool isWait = operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET;
    return isWait && futex >= kPage && futex % sizeof(int) == 0 ? reinterpret_cast<volatile int*>(futex) : nullptr;
}

/// The handler of a timer signal. The process is a copy of a single thread, so an arena lock that another thread held
/// is never released. If the signal interrupts a system call, the thread is waiting for such a lock; the handler
/// releases it. The other thread may have been interrupted in the middle of its work on the arena: the requester of
/// startTrimTrial handles the consequences.
void takeLock(int /*signal*/, siginfo_t* /*facts*/, void* context) {
    if (volatile int* const lock = awaitedLock(context)) *lock = 0;
}

/// The same for an allocator whose locks are pthread_mutex_t: libc ends a process whose free mutex has an owner.
void takeMutex(int /*signal*/, siginfo_t* /*facts*/, void* context) {
    constexpr int kOwner = offsetof(pthread_mutex_t, __data.__owner) / sizeof(int);
    volatile int* const mutex = awaitedLock(context);
    if (mutex == nullptr) return;
    mutex[kOwner] = 0;
    mutex[0] = 0;
}

using Handler = void (*)(int, siginfo_t*, void*);

void setTimer(long microseconds) {
    const itimerval timer{{0, microseconds}, {0, microseconds}};
    systemCall(SYS_setitimer, ITIMER_REAL, addressOf(&timer), 0);
}

/// For its lifetime, the handler looks again and again for which lock this thread waits.
class LockTaker {
  public:
    explicit LockTaker(Handler handler) {
        act(SIGALRM, {handler, SA_SIGINFO | kRestorer, returnFromSignal, 0});
        setTimer(kLookUs);
    }
    ~LockTaker() { setTimer(0); }
    LockTaker(const LockTaker&) = delete;
    LockTaker& operator=(const LockTaker&) = delete;
};

/// The system kills the copy then, even if it waits for a lock and its requester is gone.
bool limitTime() {
    sigevent end{};
    end.sigev_notify = SIGEV_SIGNAL;
    end.sigev_signo = SIGKILL;
    int timer = 0;
    if (systemCall(SYS_timer_create, CLOCK_MONOTONIC, addressOf(&end), addressOf(&timer)) < 0) return false;
    const itimerspec once{{0, 0}, {kMostSeconds, 0}};
    return systemCall(SYS_timer_settime, timer, 0, addressOf(&once), 0) == 0;
}

/// No handler of the program runs in the copy.
void resetSignals() {
    const Action standard{};
    for (int signal = 1; signal <= kLastSignal; ++signal)
        act(signal, standard);
    const std::uint64_t alarm = std::uint64_t{1} << (SIGALRM - 1);
    systemCall(SYS_rt_sigprocmask, SIG_UNBLOCK, addressOf(&alarm), 0, sizeof alarm);
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
    const long file = systemCall(SYS_openat, AT_FDCWD, addressOf("/proc/self/oom_score_adj"), O_WRONLY);
    if (file < 0) return;
    systemCall(SYS_write, file, addressOf(kMost), sizeof kMost - 1);
    systemCall(SYS_close, file);
}

/// Protects the copy from signals that are sent to the program's process group, and keeps it from writing a core file.
void standApart() {
    static constexpr char kName[] = "highwater-trim";
    systemCall(SYS_setsid);
    systemCall(SYS_prctl, PR_SET_NAME, addressOf(kName));
    systemCall(SYS_prctl, PR_SET_DUMPABLE, 0);
}

/// Resident anonymous bytes of this process, counted page by page; 0: not readable. Pages of files, which the copy
/// reads again as it runs, are not counted.
std::uint64_t residentAnonymous() {
    char text[2048];
    const long file = systemCall(SYS_openat, AT_FDCWD, addressOf("/proc/self/smaps_rollup"), O_RDONLY);
    if (file < 0) return 0;
    const long bytes = systemCall(SYS_read, file, addressOf(text), sizeof text - 1);
    systemCall(SYS_close, file);
    text[bytes > 0 ? bytes : 0] = '\0';
    static constexpr char kField[] = "\nAnonymous:";
    const char* const line = std::strstr(text, kField);
    return line != nullptr ? std::strtoull(line + sizeof kField - 1, nullptr, 10) * 1024 : 0;
}

/// The state is the last word that is written, so that a reader who sees it also sees the numbers.
void write(int file, const TrimAnswer& answer) {
    constexpr long kState = offsetof(TrimAnswer, state), kNumbers = offsetof(TrimAnswer, before);
    systemCall(SYS_pwrite64, file, addressOf(&answer.before), sizeof answer - kNumbers, kNumbers);
    systemCall(SYS_pwrite64, file, addressOf(&answer.state), sizeof answer.state, kState);
}

/// Each step is in the file before it begins, because the allocator may never return.
void tryAllocator(int file, OtherAllocator allocator, void* function, TrimAnswer& answer) {
    const Handler handler = usesMutexes(allocator) ? takeMutex : takeLock;
    auto& own = answer.allocators[static_cast<unsigned>(allocator)];
    own.state = AllocatorState::Counting;
    write(file, answer);
    {
        const LockTaker taker(handler);
        askForNumbers(allocator, function, own);
    }
    own.before = residentAnonymous();
    own.state = AllocatorState::Releasing;
    write(file, answer);
    bool hasReleased = false;
    {
        const LockTaker taker(handler);
        hasReleased = giveBackMemory(allocator, function);
    }
    own.after = residentAnonymous();
    own.state = hasReleased && own.before != 0 && own.after != 0 ? AllocatorState::Released : AllocatorState::Kept;
}

void tryOtherAllocators(int file, TrimAnswer& answer) {
    for (unsigned i = 0; i < kOtherAllocators; ++i) {
        const auto allocator = static_cast<OtherAllocator>(i);
        if (void* const function = functionOf(allocator)) tryAllocator(file, allocator, function, answer);
    }
}

void measure(int file, TrimAnswer& answer) {
    answer.state = TrimState::Trying;
    write(file, answer);
    static_cast<void>(residentAnonymous()); // its stack is resident then
    answer.before = residentAnonymous();
    {
        const LockTaker taker(takeLock);
        malloc_trim(0);
    }
    answer.after = residentAnonymous();
    const bool isRead = answer.before != 0 && answer.after != 0;
    answer.state = isRead ? TrimState::Trimmed : TrimState::Unreadable;
    if (!isRead) return;
    tryOtherAllocators(file, answer);
    answer.state = TrimState::Finished;
}

[[noreturn]] void beCopy(int file) {
    recording.owner = nullptr; // allocators call our hooks, and the channel is the program's
    TrimAnswer answer;
    answer.state = TrimState::Unlimited;
    if (limitTime()) {
        resetSignals();
        beFirstToGo();
        standApart();
        file = closeAllBut(file);
        measure(file, answer);
    }
    write(file, answer);
    while (true)
        systemCall(SYS_exit_group, 0);
}

struct Trial {
    int file;
    long copy;
};

int assist(void* argument) {
    auto& trial = *static_cast<Trial*>(argument);
    trial.copy = systemCall(SYS_clone, SIGCHLD);
    if (trial.copy == 0) beCopy(trial.file);
    return 0;
}

/// The calling thread must not get signals: their handlers would run twice, in the same memory.
long copyProcess(int file, char* stack) {
    Trial trial{file, -ENOMEM};
    // Not CLONE_FS: a program that executes another one meanwhile would not get that one's additional rights.
    const int assistant = clone(assist, stack + kStackBytes, CLONE_VM | CLONE_VFORK | CLONE_FILES, &trial);
    if (assistant < 0) return -errno;
    systemCall(SYS_wait4, assistant, 0, __WCLONE, 0);
    return trial.copy;
}

long copyWithOwnStack(int file) {
    auto* const stack = static_cast<char*>(takePages(kStackBytes));
    if (stack == nullptr) return -ENOMEM;
    const std::uint64_t all = ~std::uint64_t{0};
    std::uint64_t before = 0;
    const int error = errno;
    systemCall(SYS_rt_sigprocmask, SIG_SETMASK, addressOf(&all), addressOf(&before), sizeof all);
    const long copy = copyProcess(file, stack);
    systemCall(SYS_rt_sigprocmask, SIG_SETMASK, addressOf(&before), 0, sizeof before);
    errno = error;
    returnPages(stack, kStackBytes);
    return copy;
}

/// The file may have ended with its requester: the path then leads to any other file.
bool isAnswerFile(long file) {
    struct stat facts {};
    std::uint64_t magic = 0;
    return systemCall(SYS_fstat, file, addressOf(&facts)) == 0 && S_ISREG(facts.st_mode) &&
           systemCall(SYS_pread64, file, addressOf(&magic), sizeof magic, 0) == sizeof magic && magic == kTrimMagic;
}

/// Orphans get the nearest such process, or process 1, as their parent, which then gets SIGCHLD.
bool adoptsOrphans() {
    int adopts = 0;
    systemCall(SYS_prctl, PR_GET_CHILD_SUBREAPER, addressOf(&adopts));
    return adopts != 0 || systemCall(SYS_getpid) == 1;
}

} // namespace

int startTrimTrial(const char* answerPath) {
    const AgentCalls calls;
    if (!calls.arePermitted()) return static_cast<int>(TrimRefusal::Restricted);
    if (adoptsOrphans()) return static_cast<int>(TrimRefusal::Adopting);
    constexpr int kHow = O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    const long file = systemCall(SYS_openat, AT_FDCWD, addressOf(answerPath), kHow);
    if (file < 0) return static_cast<int>(TrimRefusal::NoFile);
    const int result = isAnswerFile(file) ? static_cast<int>(copyWithOwnStack(static_cast<int>(file)))
                                          : static_cast<int>(TrimRefusal::NoFile);
    systemCall(SYS_close, file);
    return result;
}

} // namespace highwater::agent
