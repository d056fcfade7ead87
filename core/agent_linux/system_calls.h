#pragma once

#include "core/event/agent_names.h"

#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace highwater::agent {

/// System calls without libc: they do not reach our hooks, do not change errno and are safe in signal handlers. Returns
/// the kernel's result: a negative errno on failure.
inline long systemCall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
    long result = 0;
    register long r10 asm("r10") = d;
    register long r8 asm("r8") = e;
    register long r9 asm("r9") = f;
    asm volatile("syscall"
                 : "=a"(result)
                 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                 : "rcx", "r11", "memory");
    return result;
}

/// An address as an argument of a system call.
template <typename T>
[[nodiscard]] long asArgument(const T* object) {
    return reinterpret_cast<long>(object);
}

/// Names private pages of the agent, which /proc/PID/smaps shows as [anon:highwater-agent], so that readers of the
/// memory of this process can distinguish them from the program's own pages. Requires Linux 5.17 and a kernel built
/// with this option; otherwise it has no effect.
inline void namePages(long pages, std::size_t bytes) {
    constexpr long kSetMapping = 0x53564d41; // PR_SET_VMA, which older headers do not have; 0 is the name
    systemCall(SYS_prctl, kSetMapping, 0, pages, static_cast<long>(bytes), asArgument(kAgentMemoryName));
}

/// Zeroed private memory of the agent, or null.
[[nodiscard]] inline void* takePages(std::size_t bytes) {
    const long result =
        systemCall(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (result < 0 && result > -4096) return nullptr;
    // A program that locks all its mappings (mlockall) has a limit, which our memory must not use up.
    systemCall(SYS_munlock, result, static_cast<long>(bytes));
    namePages(result, bytes);
    return reinterpret_cast<void*>(result);
}
/// Excludes pages of the agent from core files, if they contain what is no memory of the program.
inline void leaveOutOfCores(const void* pages, std::size_t bytes) {
    systemCall(SYS_madvise, asArgument(pages), static_cast<long>(bytes), MADV_DONTDUMP);
}
inline void returnPages(void* pages, std::size_t bytes) {
    systemCall(SYS_munmap, reinterpret_cast<long>(pages), static_cast<long>(bytes));
}

/// Whether a page is readable, according to the kernel: it reads the set of signals before it rejects the invalid
/// `how`.
[[nodiscard]] inline bool isPageReadable(std::uint64_t page) {
    return systemCall(SYS_rt_sigprocmask, ~0L, static_cast<long>(page), 0, 8) == -22; // EINVAL, not EFAULT
}

} // namespace highwater::agent
