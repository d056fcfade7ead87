// A program with a large heap, for balance_benchmark: large_heap MEGABYTES THREADS ROUNDS RESULT
//
// Each thread allocates, writes and frees blocks of all sizes, some of them large enough for a mapping of their own.
// If ROUNDS is 0, one thread reads the clock until the program is killed. RESULT is a file that contains a LargeHeap.
#include "tests/benchmarks/programs/large_heap.h"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <random>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace highwater::benchmarks;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kKeptBytes = 2000;

void fill(std::size_t megabytes) {
    for (std::size_t i = 0; i < (megabytes << 20) / (kKeptBytes + 16); ++i)
        std::memset(std::malloc(kKeptBytes), 1, kKeptBytes);
}

void work(unsigned seed, int rounds) {
    std::minstd_rand random(seed);
    std::vector<void*> blocks(1000);
    for (int i = 0; i < rounds; ++i) {
        auto*& block = blocks[random() % blocks.size()];
        std::free(block);
        const std::size_t size = random() % 500 == 0 ? 300'000 : 16 + random() % 2000;
        block = std::memset(std::malloc(size), 1, size);
    }
}

/// Time for which the calling thread was ready to run, but other threads had the processors.
double queuedSeconds() {
    double ran = 0, queued = 0;
    std::ifstream("/proc/thread-self/schedstat") >> ran >> queued;
    return queued / 1e9;
}

/// The time of the work without that time: the thread computes, or waits, for example for the lock of its address
/// space.
double ownSeconds(unsigned seed, int rounds) {
    const auto begin = Clock::now();
    const auto queued = queuedSeconds();
    work(seed, rounds);
    return std::chrono::duration<double>(Clock::now() - begin).count() - (queuedSeconds() - queued);
}

/// It allocates now and then, because a program that does not cannot load the agent.
[[noreturn]] void lookAtClock(LargeHeap& result) {
    auto before = Clock::now();
    for (unsigned look = 0;; ++look) {
        if (look % 1000 == 0) std::free(std::malloc(16));
        const auto now = Clock::now();
        const auto gap = std::chrono::duration_cast<std::chrono::nanoseconds>(now - before).count();
        before = now;
        if (gap > result.longestGapNs) result.longestGapNs = gap;
    }
}

} // namespace

int main(int count, char** arguments) {
    if (count != 5) return 64;
    const int threads = std::atoi(arguments[2]), rounds = std::atoi(arguments[3]);
    void* const page =
        mmap(nullptr, sizeof(LargeHeap), PROT_READ | PROT_WRITE, MAP_SHARED, open(arguments[4], O_RDWR), 0);
    if (page == MAP_FAILED) return 1;
    auto& result = *static_cast<LargeHeap*>(page);
    fill(static_cast<std::size_t>(std::atoi(arguments[1])));
    result.isReady = 1;
    if (rounds == 0) lookAtClock(result);
    const auto begin = Clock::now();
    std::vector<double> own(static_cast<std::size_t>(threads));
    std::vector<std::thread> others;
    for (std::size_t i = 0; i < own.size(); ++i)
        others.emplace_back([&own, i, rounds] { own[i] = ownSeconds(static_cast<unsigned>(i + 1), rounds); });
    for (auto& other : others)
        other.join();
    result.ownSeconds = *std::ranges::max_element(own);
    result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    _exit(0); // freeing the heap is not measured
}
