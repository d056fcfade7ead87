#include "tests/core/agent/targets/agent_target.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

void allocate(int count, std::size_t bytes) {
    for (int i = 0; i < count; ++i) {
        void* volatile block = std::malloc(bytes);
        std::free(block);
    }
}

/// At another depth of the stack, where the agent has not looked yet.
__attribute__((noinline)) void allocateDeepDown(int count, std::size_t bytes) {
    volatile char room[64 * 1024];
    room[0] = 1;
    room[sizeof room - 1] = room[0];
    allocate(count, bytes);
}

void sayThatItLives() {
    static constexpr char kText[] = "lives\n";
    static_cast<void>(write(STDOUT_FILENO, kText, sizeof kText - 1));
}

[[noreturn]] void leave() {
    sayThatItLives();
    syscall(SYS_exit, 0); // the only end that strict mode allows
    __builtin_unreachable();
}

/// Any other system call ends the program.
sock_fprog filterOf() {
#define HIGHWATER_ALLOW(number)                                                                                        \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
    static sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
        HIGHWATER_ALLOW(SYS_read),
        HIGHWATER_ALLOW(SYS_write),
        HIGHWATER_ALLOW(SYS_exit),
        HIGHWATER_ALLOW(SYS_exit_group),
        HIGHWATER_ALLOW(SYS_brk),
        HIGHWATER_ALLOW(SYS_mmap),
        HIGHWATER_ALLOW(SYS_munmap),
        HIGHWATER_ALLOW(SYS_seccomp),
        HIGHWATER_ALLOW(SYS_mprotect), // with a thread's first allocation
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    return {sizeof rules / sizeof rules[0], rules};
}

/// Requests a filter that is refused.
void askInVain() {
    sock_fprog filter = filterOf();
    filter.len = 0;
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) != -1) fail("an empty filter");
}

/// Restricts itself while another thread keeps requesting a filter that is refused.
int runContested(int count, unsigned flags) {
    static std::atomic<bool> hasBegun = false, isFiltered = false, hasEnded = false;
    allocate(count, 100);
    std::thread([] {
        while (!isFiltered) {
            hasBegun = true;
            askInVain();
        }
        hasEnded = true;
        while (hasEnded) { // without any call, as it may be under the filter
        }
    }).detach();
    while (!hasBegun) {
    }
    const sock_fprog filter = filterOf();
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("prctl");
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter) != 0) fail("seccomp");
    isFiltered = true;
    while (!hasEnded) {
    }
    allocateDeepDown(count, 200);
    sayThatItLives();
    _exit(0);
}

} // namespace

int runStrict(int count) {
    allocate(count, 100);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) fail("prctl");
    allocateDeepDown(count + 1, 200);
    leave();
}

/// A child that does nothing before.
int runForkedStrict(int count) {
    const pid_t child = fork();
    if (child == 0) runStrict(0);
    if (child == 0) fail("strict mode");
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) fail("the child was ended");
    allocate(count, 100);
    return 0;
}

/// By libc's syscall(), as libseccomp does; with other threads that allocate all the time.
int runFiltered(int count) {
    static constexpr int kThreads = 3;
    static std::atomic<int> begun = 0; // starting a thread takes system calls as well
    static const auto untilAllHaveBegun = [] {
        while (begun < kThreads) {
        }
    };
    for (int i = 0; i < kThreads; ++i)
        std::thread([] {
            ++begun;
            untilAllHaveBegun();
            allocate(1'000'000'000, 300);
        }).detach();
    allocate(count, 100);
    untilAllHaveBegun();
    const sock_fprog filter = filterOf();
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("prctl");
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) != 0) fail("seccomp");
    allocateDeepDown(count, 200);
    sayThatItLives();
    _exit(0);
}

/// Checks whether seccomp is supported, as programs do, and continues.
int runFilterProbe(int count) {
    const long byPrctl = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr);
    const long bySyscall = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, nullptr);
    if (byPrctl != -1 || bySyscall != -1) fail("a filter from nowhere");
    askInVain();
    allocate(count, 100);
    return 0;
}

int runContestedFilter(int count) { return runContested(count, 0); }
int runContestedFilterOfAll(int count) { return runContested(count, SECCOMP_FILTER_FLAG_TSYNC); }
