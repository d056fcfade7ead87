#include "tests/core/agent/targets/agent_target.h"

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>

// Signal handlers that do not return to the interrupted code, which is the agent most of the time. They leave by a
// jump, an exception, the end of the thread, or continue in another context. After that, the program is ordinary.
//
// A handler never abandons code of libc: a libc allocator that is left halfway ends the program at one of the next
// calls, whether a recorder is there or not.

namespace {

enum class Leave { Jump, Throw, EndThread, Switch };

struct Left {};

Leave leavingBy;
sigjmp_buf back;
ucontext_t worker, scheduler;
volatile std::sig_atomic_t isArmed;

void setAlarm(int how) {
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(how, &alarm, nullptr);
}

void arm(int microseconds) {
    isArmed = 1;
    const itimerval timer{{0, 0}, {0, microseconds}};
    setitimer(ITIMER_REAL, &timer, nullptr);
}

/// The location of libc's code.
dl_find_object libc;

bool isInLibc(const void* context) {
    const auto place = static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
    return place >= reinterpret_cast<std::uintptr_t>(libc.dlfo_map_start) &&
           place < reinterpret_cast<std::uintptr_t>(libc.dlfo_map_end);
}

void onTick(int, siginfo_t*, void* context) {
    if (isArmed == 0) return;
    if (leavingBy != Leave::Switch && isInLibc(context)) return arm(20);
    isArmed = 0;
    switch (leavingBy) {
    case Leave::Jump:
        siglongjmp(back, 1);
    case Leave::Throw: {
        setAlarm(SIG_UNBLOCK);
        throw Left();
    }
    case Leave::EndThread:
        pthread_exit(nullptr);
    case Leave::Switch:
        swapcontext(&worker, &scheduler);
        arm(150); // only here: the scheduler must not be interrupted while it switches
    }
}

void prepare(Leave how, int flags = 0) {
    leavingBy = how;
    static_cast<void>(_dl_find_object(dlsym(RTLD_DEFAULT, "gnu_get_libc_version"), &libc));
    struct sigaction action {};
    action.sa_sigaction = onTick;
    action.sa_flags = flags | SA_SIGINFO;
    sigaction(SIGALRM, &action, nullptr);
}

[[gnu::noinline]] void allocateAlways() {
    while (true) {
        void* volatile block = std::malloc(64);
        std::free(block);
    }
}

[[gnu::noinline]] void* allocateLater() { return std::malloc(kLaterBytes); }

/// Some deeper than the interrupted code, some less deep.
[[gnu::noinline]] void allocateDeeper(int depth) {
    volatile char room[200];
    room[0] = 0;
    if (depth > 0) {
        allocateDeeper(depth - 1);
    } else {
        void* volatile block = allocateLater();
        static_cast<void>(block);
    }
    room[1] = room[0]; // no tail call
}

void allocateBehind(int count) {
    for (int i = 0; i < count; ++i)
        allocateDeeper(i % 2 == 0 ? 0 : 20);
}

[[gnu::noinline]] void jumpTimes(int times) {
    static int done; // not a register, which a jump would restore
    for (done = 0; done < times; ++done) {
        if (sigsetjmp(back, 1) != 0) continue;
        arm(150 + done % 7 * 20);
        allocateAlways();
    }
}

/// The handler throws through this function, and the caller catches.
[[gnu::noinline]] void allocateFrom(int microseconds) {
    arm(microseconds);
    allocateAlways();
}

[[gnu::noinline]] void throwTimes(int times) {
    void (*volatile work)(int) = allocateFrom; // the compiler would see that it cannot throw
    for (int i = 0; i < times; ++i) {
        try {
            work(150 + i % 7 * 20);
        } catch (const Left&) {
        }
    }
}

} // namespace

int runJumps(int times) {
    prepare(Leave::Jump);
    jumpTimes(times);
    allocateBehind(kBlocksLater);
    return 0;
}

int runJumpsFromStack(int times) {
    static char stack[1 << 16];
    const stack_t own{stack, 0, sizeof stack};
    sigaltstack(&own, nullptr);
    prepare(Leave::Jump, SA_ONSTACK);
    jumpTimes(times);
    allocateBehind(kBlocksLater);
    return 0;
}

int runJumpsOfThread(int times) {
    prepare(Leave::Jump);
    setAlarm(SIG_BLOCK);
    std::thread([times] {
        setAlarm(SIG_UNBLOCK);
        jumpTimes(times);
        allocateBehind(kBlocksLater);
    }).join();
    return 0;
}

int runThrows(int times) {
    prepare(Leave::Throw);
    throwTimes(times);
    allocateBehind(kBlocksLater);
    return 0;
}

/// A thread ends in the handler; its destructors make its last allocations after that. Some threads end at their first
/// allocation.
int runEndings(int times) {
    prepare(Leave::EndThread);
    setAlarm(SIG_BLOCK);
    static pthread_key_t key;
    pthread_key_create(&key, [](void*) { allocateBehind(kBlocksLater); });
    std::thread([] { pthread_exit(nullptr); }).detach(); // the first one loads a library for it
    usleep(100'000);
    for (static int i = 0; i < times; ++i) {
        pthread_t thread{};
        pthread_create(
            &thread, nullptr,
            [](void*) -> void* {
                pthread_setspecific(key, &key);
                setAlarm(SIG_UNBLOCK);
                arm(1 + i % 15 * 20);
                allocateAlways();
                return nullptr;
            },
            nullptr);
        pthread_join(thread, nullptr);
    }
    return 0;
}

namespace {

pthread_key_t lateKey;

/// Called as often as libc calls a destructor at all; the last call comes after the agent's own destructor.
void allocateAtEachRound(void*) {
    pthread_setspecific(lateKey, &lateKey);
    allocateBehind(kBlocksLater);
}

} // namespace

int runLateDestructors(int times) {
    pthread_key_create(&lateKey, allocateAtEachRound);
    for (int i = 0; i < times; ++i)
        std::thread([] { pthread_setspecific(lateKey, &lateKey); }).join();
    return 0;
}

[[gnu::noinline]] void mapAlways() {
    arm(150);
    while (true)
        munmap(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096);
}

/// The interrupted code continues later, so its state must not be discarded. Prints the number of mappings that the
/// scheduler made. (The allocator must not be called while it is interrupted.)
int runSwitches(int times) {
    constexpr std::size_t kStackBytes = 1 << 18;
    prepare(Leave::Switch);
    getcontext(&worker);
    worker.uc_stack.ss_sp = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    worker.uc_stack.ss_size = kStackBytes;
    makecontext(&worker, mapAlways, 0);
    for (int i = 0; i < times; ++i) {
        swapcontext(&scheduler, &worker);
        for (int block = 0; block < 10; ++block)
            mmap(nullptr, kLaterBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    char text[16];
    const int bytes =
        std::snprintf(text, sizeof text, "%d\n", times * 10); // printf would allocate, and that event would be lost
    _exit(write(STDOUT_FILENO, text, static_cast<std::size_t>(bytes)) == bytes ? 0
                                                                               : 65); // the last one is never resumed
}
