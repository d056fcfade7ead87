#include "core/source/attach/processor_breakpoints_linux.h"

#include "core/source/attach/stopped_thread_linux.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <new>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace highwater::source {
namespace {

using Rounds = std::atomic<std::uint64_t>;

constexpr std::uint64_t kOften = 1000, kMostRounds = 1'000'000'000;

[[gnu::noinline]] void place(Rounds& rounds) { rounds.fetch_add(1); }

/// Runs in the child until it is killed, or for some seconds if its parent is killed first.
[[noreturn]] void passRepeatedly(Rounds& rounds) {
    while (rounds.load() < kMostRounds)
        place(rounds);
    ::_exit(0);
}

/// Gives up after many rounds without a stop, so the result does not depend on the load of the machine.
bool isStoppedAtPlace(pid_t child, const Rounds& rounds) {
    constexpr int kGlanceMs = 5, kMostGlances = 1000;
    int refusal = 0;
    auto thread = StoppedThread::stop(static_cast<std::uint32_t>(child), refusal);
    if (!thread) return true; // not known: breakpoints are to be tried
    const std::array places{reinterpret_cast<Address>(&place)};
    const auto begin = rounds.load();
    for (int i = 0; i < kMostGlances; ++i) {
        if (thread->runTo(places, kGlanceMs, StoppedThread::Run::AtFullSpeed)) return true;
        if (rounds.load() - begin > kOften) return false;
    }
    return true;
}

bool tryThem() {
    void* const shared = ::mmap(nullptr, sizeof(Rounds), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return true;
    auto& rounds = *new (shared) Rounds(0);
    const auto child = ::fork();
    if (child == 0) passRepeatedly(rounds);
    bool doStop = true;
    if (child > 0) {
        doStop = isStoppedAtPlace(child, rounds);
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
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
