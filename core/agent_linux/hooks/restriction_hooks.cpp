#include "core/agent_linux/call_sites.h"
#include "core/agent_linux/recording.h"
#include "core/agent_linux/system_calls.h"

#include <cerrno>
#include <cstdarg>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

// Calls by which a program forbids itself system calls (seccomp), or reading the processor's clock, after which the
// agent's own calls would end the program. Recording ends before such a call is made. The hooks do not need the real
// functions, which are plain system calls in libc.

#define HIGHWATER_HOOK extern "C" __attribute__((visibility("default"), noinline))
#define HIGHWATER_HIDDEN extern "C" __attribute__((visibility("hidden"), used))

using namespace highwater::agent;

namespace {

/// Programs detect seccomp by setting a filter at address 0, which the kernel rejects.
bool restrictsByPrctl(long option, long a, long b) {
    if (option == PR_SET_TSC) return a == PR_TSC_SIGSEGV;
    if (option != PR_SET_SECCOMP) return false;
    return a == SECCOMP_MODE_STRICT || (a == SECCOMP_MODE_FILTER && b != 0);
}

bool restrictsBySeccomp(long operation, long filter) {
    return operation == SECCOMP_SET_MODE_STRICT || (operation == SECCOMP_SET_MODE_FILTER && filter != 0);
}

long withErrno(long result) {
    if (result >= 0 || result < -4095) return result;
    errno = static_cast<int>(-result);
    return -1;
}

long callRestricting(long number, long a, long b, long c, long d, long e) {
    const bool isSeccomp = number == SYS_seccomp;
    const bool restricts = isSeccomp ? restrictsBySeccomp(a, c) : restrictsByPrctl(a, b, c);
    if (!restricts) return systemCall(number, a, b, c, d, e);
    Restriction restriction;
    const long result = systemCall(number, a, b, c, d, e);
    // A listener is returned as a file descriptor; any other positive number is a thread that could not be
    // synchronized.
    const bool isListener = isSeccomp && (b & static_cast<long>(SECCOMP_FILTER_FLAG_NEW_LISTENER)) != 0;
    if (result == 0 || (result > 0 && isListener)) restriction.stay();
    return result;
}

} // namespace

HIGHWATER_HIDDEN long highwaterRestrictingCall(long number, long a, long b, long c, long d, long e) {
    return withErrno(callRestricting(number, a, b, c, d, e));
}
HIGHWATER_HIDDEN long highwaterFailedCall(long result) { return withErrno(result); }

HIGHWATER_HOOK int prctl(int option, ...) noexcept {
    va_list list;
    va_start(list, option);
    const long a = va_arg(list, long);
    const long b = va_arg(list, long);
    const long c = va_arg(list, long);
    const long d = va_arg(list, long);
    va_end(list);
    return static_cast<int>(withErrno(callRestricting(SYS_prctl, option, a, b, c, d)));
}

/// The hook of mlockall() makes the call.
HIGHWATER_HIDDEN long highwaterLockingCall(long, long flags) { return mlockall(static_cast<int>(flags)); }

/// Equals libc's own code instruction by instruction, because a child created by this call may return on another stack.
extern "C" __attribute__((visibility("default"), naked)) long syscall(long, ...) noexcept {
    asm("cmpq $317, %rdi\n\t" // seccomp
        "je highwaterRestrictingCall\n\t"
        "cmpq $157, %rdi\n\t" // prctl
        "je highwaterRestrictingCall\n\t"
        "cmpq $151, %rdi\n\t" // mlockall
        "je highwaterLockingCall\n\t"
        "movq %rdi, %rax\n\t"
        "movq %rsi, %rdi\n\t"
        "movq %rdx, %rsi\n\t"
        "movq %rcx, %rdx\n\t"
        "movq %r8, %r10\n\t"
        "movq %r9, %r8\n\t"
        "movq 8(%rsp), %r9\n\t"
        "syscall\n\t"
        "cmpq $-4095, %rax\n\t"
        "jae 1f\n\t"
        "ret\n"
        "1:\n\t"
        "movq %rax, %rdi\n\t"
        "jmp highwaterFailedCall");
}

static_assert(SYS_seccomp == 317 && SYS_prctl == 157 && SYS_mlockall == 151);

HIGHWATER_OURS(prctl);
HIGHWATER_OURS(syscall);

namespace highwater::agent {

const Hook restrictionHooks[] = {
    {"prctl", reinterpret_cast<void*>(&highwater_prctl), nullptr},
    {"syscall", reinterpret_cast<void*>(&highwater_syscall), nullptr},
    {},
};

} // namespace highwater::agent
