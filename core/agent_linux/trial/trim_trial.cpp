#include "core/agent_linux/trial/trim_trial.h"

#include "core/agent_linux/system_calls.h"
#include "core/agent_linux/trial/other_allocators.h"
#include "core/agent_linux/trial/process_copy.h"
#include "core/agent_linux/trial/signal_action.h"
#include "core/agent_linux/trial/trim_answer.h"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/futex.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <ucontext.h>

namespace highwater::agent {

namespace {

constexpr std::uint64_t kPage = 4096;
constexpr long kLookUs = 2'000; ///< between two looks at a lock

constexpr unsigned long kRestorer = 0x04000000; // SA_RESTORER

/// The end of a signal handler: rt_sigreturn.
__attribute__((naked)) void returnFromSignal() { asm volatile("mov $15, %eax\n\tsyscall"); }

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

void setTimer(long microseconds) {
    const itimerval timer{{0, microseconds}, {0, microseconds}};
    systemCall(SYS_setitimer, ITIMER_REAL, asArgument(&timer), 0);
}

void unblockAlarm() {
    const std::uint64_t alarm = std::uint64_t{1} << (SIGALRM - 1);
    systemCall(SYS_rt_sigprocmask, SIG_UNBLOCK, asArgument(&alarm), 0, sizeof alarm);
}

/// For its lifetime, the handler looks again and again for which lock this thread waits.
class LockTaker {
  public:
    explicit LockTaker(SignalHandler handler) {
        act(SIGALRM, {handler, SA_SIGINFO | kRestorer, returnFromSignal, 0});
        setTimer(kLookUs);
    }
    ~LockTaker() { setTimer(0); }
    LockTaker(const LockTaker&) = delete;
    LockTaker& operator=(const LockTaker&) = delete;
};

/// Resident anonymous bytes of this process, counted page by page; 0: not readable. Pages of files, which the copy
/// reads again as it runs, are not counted.
std::uint64_t residentAnonymous() {
    char text[2048];
    const long file = systemCall(SYS_openat, AT_FDCWD, asArgument("/proc/self/smaps_rollup"), O_RDONLY);
    if (file < 0) return 0;
    const long bytes = systemCall(SYS_read, file, asArgument(text), sizeof text - 1);
    systemCall(SYS_close, file);
    text[bytes > 0 ? bytes : 0] = '\0';
    static constexpr char kField[] = "\nAnonymous:";
    const char* const line = std::strstr(text, kField);
    return line != nullptr ? std::strtoull(line + sizeof kField - 1, nullptr, 10) * 1024 : 0;
}

/// The state is the last word that is written, so that a reader who sees it also sees the numbers.
void write(int file, const TrimAnswer& answer) {
    constexpr long kState = offsetof(TrimAnswer, state), kNumbers = offsetof(TrimAnswer, before);
    systemCall(SYS_pwrite64, file, asArgument(&answer.before), sizeof answer - kNumbers, kNumbers);
    systemCall(SYS_pwrite64, file, asArgument(&answer.state), sizeof answer.state, kState);
}

/// Each step is in the file before it begins, because the allocator may never return.
void tryAllocator(int file, OtherAllocator allocator, void* function, TrimAnswer& answer) {
    const SignalHandler handler = usesMutexes(allocator) ? takeMutex : takeLock;
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

void tryAll(int file, bool isLimited) {
    TrimAnswer answer;
    answer.state = TrimState::Unlimited;
    if (isLimited) {
        systemCall(SYS_prctl, PR_SET_DUMPABLE, 0); // no core file if an allocator fails
        unblockAlarm();
        measure(file, answer);
    }
    write(file, answer);
}

constexpr CopyWork kTrimTrial{kTrimMagic, "highwater-trim", 2, tryAll};

} // namespace

int startTrimTrial(const char* answerPath) { return startCopy(answerPath, kTrimTrial); }

} // namespace highwater::agent
