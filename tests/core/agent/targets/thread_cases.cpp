#include "tests/core/agent/targets/agent_target.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <pthread.h>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

struct Slice {
    std::int64_t beforeNs = 0;
    std::int64_t afterNs = 0;
};

std::int64_t nowNs() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

} // namespace

/// Starts threads while others allocate. The blocks that a thread makes in one slice have a size of their own; a line
/// for each slice shows the size, the number of blocks, and the time before and after them.
int runStarts(int count) {
    std::vector<Slice> slices(static_cast<std::size_t>(count) * kSlicesOfStarts);
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(count));
    for (int thread = 0; thread < count; ++thread)
        threads.emplace_back([&slices, thread] {
            for (std::size_t i = 0; i < kSlicesOfStarts; ++i) {
                const std::size_t number = static_cast<std::size_t>(thread) * kSlicesOfStarts + i;
                slices[number].beforeNs = nowNs();
                for (int block = 0; block < kBlocksOfSlice; ++block) {
                    void* volatile made = std::malloc(kFirstSizeOfStarts + number);
                    std::free(made);
                }
                slices[number].afterNs = nowNs();
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    for (std::size_t i = 0; i < slices.size(); ++i)
        std::printf("%zu %d %lld %lld\n", kFirstSizeOfStarts + i, kBlocksOfSlice,
                    static_cast<long long>(slices[i].beforeNs), static_cast<long long>(slices[i].afterNs));
    return 0;
}

/// Threads that allocate 100 + i bytes and are called "named i". Most end at once; the last two live until the program
/// ends, for this many milliseconds. One of them is named after its allocation, by itself, the other one by the main
/// thread, which calls itself "main".
int runNamed(int milliseconds) {
    const auto work = [](std::size_t number) {
        void* volatile block = std::malloc(kFirstSizeOfNamed + number);
        static_cast<void>(block);
    };
    for (std::size_t i = 0; i < kShortOfNamed; ++i)
        std::thread([&work, i] {
            work(i);
            char name[16];
            std::snprintf(name, sizeof name, "named %zu", i);
            pthread_setname_np(pthread_self(), name);
        }).join();
    prctl(PR_SET_NAME, "main");
    work(kShortOfNamed);
    std::thread([&work] {
        work(kShortOfNamed + 1);
        pthread_setname_np(pthread_self(), "by itself");
        for (;;)
            pause();
    }).detach();
    std::thread other([&work] {
        work(kShortOfNamed + 2);
        for (;;)
            pause();
    });
    pthread_setname_np(other.native_handle(), "by another");
    other.detach();
    usleep(static_cast<useconds_t>(milliseconds) * 1000);
    _exit(0);
}
