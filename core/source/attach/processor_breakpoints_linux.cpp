#include "core/source/attach/processor_breakpoints_linux.h"

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <new>
#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

namespace highwater::source {
namespace {

using Rounds = std::atomic<std::uint64_t>;

[[gnu::noinline]] void place(Rounds& rounds) { rounds.fetch_add(1); }

constexpr std::uint64_t kOften = 1000, kMostRounds = 1'000'000'000;

/// What the child does until it is killed; for some seconds at most, should its parent be killed first.
[[noreturn]] void comeByOften(Rounds& rounds) {
    while (rounds.load() < kMostRounds)
        place(rounds);
    ::_exit(0);
}

bool request(__ptrace_request what, pid_t pid, std::uintptr_t address = 0, std::uintptr_t data = 0) {
    return ::ptrace(what, pid, reinterpret_cast<void*>(address), reinterpret_cast<void*>(data)) == 0;
}

/// Once it has come by often without a stop, there will be none: no time is measured, which a busy machine could
/// stretch.
bool isStoppedAtPlace(pid_t child, const Rounds& rounds) {
    constexpr auto kRegisters = offsetof(user, u_debugreg);
    constexpr std::uintptr_t kControl = kRegisters + 7 * sizeof(std::uint64_t), kFirst = 1;
    int status = 0;
    const bool isSet = request(PTRACE_SEIZE, child, 0, PTRACE_O_EXITKILL) && request(PTRACE_INTERRUPT, child) &&
                       ::waitpid(child, &status, __WALL) == child &&
                       request(PTRACE_POKEUSER, child, kRegisters, reinterpret_cast<std::uintptr_t>(&place)) &&
                       request(PTRACE_POKEUSER, child, kControl, kFirst);
    if (!isSet) return true; // nothing is known: they are to be tried
    const auto begin = rounds.load();
    if (!request(PTRACE_CONT, child)) return true;
    while (::waitpid(child, &status, __WALL | WNOHANG) == 0) {
        if (rounds.load() - begin > kOften) return false;
        ::sched_yield();
    }
    return WIFSTOPPED(status) || rounds.load() - begin <= kOften;
}

bool tryThem() {
    void* const shared = ::mmap(nullptr, sizeof(Rounds), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return true;
    auto& rounds = *new (shared) Rounds(0);
    const auto child = ::fork();
    if (child == 0) comeByOften(rounds);
    bool doStop = true;
    if (child > 0) {
        doStop = isStoppedAtPlace(child, rounds);
        ::kill(child, SIGKILL);
        while (::waitpid(child, nullptr, __WALL) > 0) {
        }
    }
    ::munmap(shared, sizeof(Rounds));
    return doStop;
}

} // namespace

bool processorBreakpointsStop() {
    static const bool doStop = tryThem();
    return doStop;
}

} // namespace highwater::source
