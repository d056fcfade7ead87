// A program that is copied while it runs. copied_program BUSY WAITING MEGABYTES: threads that count and allocate,
// threads that wait in all common system calls and check their results, and memory that is resident. Prints the address
// of its counters, and answers lines of its standard input. At their end, it prints what the threads have found.
#include "tests/core/agent/targets/copied_counters.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <string>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using highwater::tests::CopiedCounters;
using Clock = std::chrono::steady_clock;

constexpr unsigned kMostBusy = 256;
constexpr long kWaitMs = 4;

CopiedCounters counters[kMostBusy];
std::atomic<int> begun, childSignals;
std::atomic<unsigned long> interrupted, wrong, waits;
std::atomic<bool> isOver;

void countUp(CopiedCounters* own) {
    pthread_setname_np(pthread_self(), "busy");
    own->tid = static_cast<unsigned long>(syscall(SYS_gettid));
    ++begun;
    void* kept[8] = {};
    for (unsigned long round = 0; !isOver.load(std::memory_order_relaxed); ++round) {
        own->first = own->first + 1;
        own->second = own->second + 1;
        if (round % 64 != 0) continue;
        auto& block = kept[round / 64 % 8];
        std::free(block);
        block = std::memset(std::malloc(1 + round % 3000), 1, 1);
    }
    if (own->first != own->second) ++wrong;
}

timespec inMs(clockid_t clock, long milliseconds) {
    timespec time{};
    clock_gettime(clock, &time);
    time.tv_nsec += milliseconds * 1'000'000;
    time.tv_sec += time.tv_nsec / 1'000'000'000;
    time.tv_nsec %= 1'000'000'000;
    return time;
}

int futexWait(int* word) {
    const timespec time{0, kWaitMs * 1'000'000};
    return static_cast<int>(syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, &time, nullptr, 0));
}

/// A wait that must end by its timeout, not before.
template <typename Call>
void expectTimeout(Call call, int result, int error) {
    const auto begin = Clock::now();
    errno = 0;
    const int returned = call();
    if (errno == EINTR)
        ++interrupted;
    else if (returned != result || errno != error || Clock::now() - begin < std::chrono::milliseconds(kWaitMs))
        ++wrong;
    ++waits;
}

/// Gets a byte that another thread writes somewhat later.
void expectByte() {
    int ends[2] = {};
    if (pipe(ends) != 0) return;
    std::thread writer([end = ends[1]] {
        usleep(2'000);
        if (write(end, "x", 1) != 1) ++wrong;
    });
    char byte = 0;
    errno = 0;
    if (read(ends[0], &byte, 1) != 1 || byte != 'x') errno == EINTR ? ++interrupted : ++wrong;
    writer.join();
    close(ends[0]);
    close(ends[1]);
}

void keepWaiting() {
    pthread_setname_np(pthread_self(), "waiting");
    ++begun;
    const int events = epoll_create1(EPOLL_CLOEXEC);
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    int word = 0;
    epoll_event event{};
    const timespec time{0, kWaitMs * 1'000'000};
    while (!isOver) {
        expectTimeout([&] { return nanosleep(&time, nullptr); }, 0, 0);
        expectTimeout([&] { return epoll_wait(events, &event, 1, kWaitMs); }, 0, 0);
        expectTimeout([&] { return futexWait(&word); }, -1, ETIMEDOUT);
        expectTimeout([&] { return poll(nullptr, 0, kWaitMs); }, 0, 0);
        // The time until which it waits is computed after the measured time has begun.
        expectTimeout(
            [&] {
                const auto until = inMs(CLOCK_MONOTONIC, kWaitMs);
                return sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until);
            },
            -1, ETIMEDOUT);
        expectByte();
    }
    sem_destroy(&semaphore);
    close(events);
}

char* mapped(std::size_t bytes) {
    void* const memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) std::exit(3);
    return static_cast<char*>(memory);
}

void answer(const std::string& line) {
    if (line == "sparse") { // 4 GB, of which three pages are touched
        constexpr std::size_t kPage = 4096, kPages = std::size_t{1} << 20;
        auto* const memory = mapped(kPages * kPage);
        madvise(memory, kPages * kPage, MADV_NOHUGEPAGE);
        for (const std::size_t page : {std::size_t{1000}, std::size_t{500'000}, kPages - 1})
            memory[page * kPage] = 's';
        std::printf("sparse %lu\n", reinterpret_cast<unsigned long>(memory));
    }
    if (line == "exclude") {
        constexpr std::size_t kBytes = 1 << 20;
        auto* const memory = mapped(kBytes);
        std::memset(memory, 'x', kBytes);
        std::printf("excluded %lu %d\n", reinterpret_cast<unsigned long>(memory),
                    madvise(memory, kBytes, MADV_DONTFORK));
    }
    if (line == "look") {
        const bool hasChild = waitpid(-1, nullptr, WNOHANG | __WALL) >= 0 || errno != ECHILD;
        std::printf("signals %d children %d\n", childSignals.load(), hasChild ? 1 : 0);
    }
    // The longest time in which this thread did not run.
    if (line == "pause") {
        auto longest = Clock::duration::zero();
        const auto end = Clock::now() + std::chrono::milliseconds(1'500);
        for (auto before = Clock::now(), now = before; now < end; before = now) {
            std::free(std::malloc(32)); // a thread that never waits is copied where it allocates
            now = Clock::now();
            longest = std::max(longest, now - before);
        }
        std::printf("paused %ld us\n",
                    static_cast<long>(std::chrono::duration_cast<std::chrono::microseconds>(longest).count()));
    }
}

} // namespace

int main(int count, char** arguments) {
    if (count != 4) return 2;
    std::signal(SIGCHLD, [](int) { ++childSignals; });
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    const int busy = std::min(std::atoi(arguments[1]), static_cast<int>(kMostBusy)), waiting = std::atoi(arguments[2]);
    std::vector<char> memory(static_cast<std::size_t>(std::atoi(arguments[3])) << 20, 'm');
    std::vector<std::thread> threads;
    for (int i = 0; i < busy; ++i)
        threads.emplace_back(countUp, &counters[i]);
    for (int i = 0; i < waiting; ++i)
        threads.emplace_back(keepWaiting);
    while (begun < busy + waiting)
        usleep(1000);
    std::printf("ready %lu\n", reinterpret_cast<unsigned long>(counters));
    char line[64];
    while (std::fgets(line, sizeof line, stdin) != nullptr)
        answer(std::string(line, std::strcspn(line, "\n")));
    isOver = true;
    for (auto& thread : threads)
        thread.join();
    std::printf("interrupted %lu wrong %lu waits %lu\n", interrupted.load(), wrong.load(), waits.load());
    return interrupted == 0 && wrong == 0 && (memory.empty() || memory.back() == 'm') ? 0 : 1;
}
