// Threads that free most of their memory, for trials of malloc_trim. freed_memory THREADS MEGABYTES CHURN: each thread
// keeps a fiftieth of MEGABYTES; with CHURN, it then allocates blocks of up to CHURN bytes without end. Answers lines
// of its standard input.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

std::atomic<int> ready, childSignals, ended;

struct Random {
    unsigned state;
    unsigned below(unsigned limit) {
        state = state * 1103515245u + 12345u;
        return (state >> 8) % limit;
    }
};

void allocateAndFree(unsigned number, std::size_t bytes, unsigned churn) {
    Random random{number};
    std::vector<void*> blocks;
    for (std::size_t total = 0; total < bytes;) {
        const std::size_t size = 100 + random.below(800);
        blocks.push_back(std::memset(std::malloc(size), 1, size));
        total += size;
    }
    for (std::size_t i = 0; i < blocks.size(); ++i)
        if (i % 50 != 0) std::free(blocks[i]);
    ++ready;
    while (churn == 0)
        pause();
    void* kept[64] = {};
    while (true) {
        auto& block = kept[random.below(64)];
        std::free(block);
        block = std::malloc(1 + random.below(churn));
    }
}

long anonymousKb() {
    std::FILE* const file = std::fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    long kilobytes = 0;
    while (std::fgets(line, sizeof line, file) != nullptr)
        std::sscanf(line, "Anonymous: %ld", &kilobytes);
    std::fclose(file);
    return kilobytes;
}

/// Any process that wait() reports.
void waitForAny() {
    while (wait(nullptr) > 0)
        ++ended;
}

void answer(const std::string& line) {
    if (line == "trim") {
        const long before = anonymousKb();
        malloc_trim(0);
        std::printf("trimmed %ld\n", (before - anonymousKb()) * 1024);
    }
    if (line == "look") {
        const bool hasChild = waitpid(-1, nullptr, WNOHANG | __WALL) >= 0 || errno != ECHILD;
        std::printf("signals %d children %d\n", childSignals.load(), hasChild ? 1 : 0);
    }
    if (line == "wait") {
        if (fork() == 0) {
            while (true)
                pause();
        }
        std::thread(waitForAny).detach();
        std::puts("waits");
    }
    if (line == "ended") std::printf("ended %d signals %d\n", ended.load(), childSignals.load());
    if (line == "adopt") std::printf("adopts %d\n", prctl(PR_SET_CHILD_SUBREAPER, 1));
    if (line == "fork" && fork() == 0) _exit(0);
    if (line == "exec") execl("/bin/cat", "cat", nullptr);
}

} // namespace

int main(int count, char** arguments) {
    if (count != 4) return 2;
    std::signal(SIGCHLD, [](int) { ++childSignals; });
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    std::setvbuf(stdin, nullptr, _IONBF, 0); // a program that it executes reads the next line
    const int threads = std::atoi(arguments[1]);
    const std::size_t bytes = static_cast<std::size_t>(std::atoi(arguments[2])) << 20;
    for (int i = 0; i < threads; ++i)
        std::thread(allocateAndFree, static_cast<unsigned>(i + 1), bytes,
                    static_cast<unsigned>(std::atoi(arguments[3])))
            .detach();
    while (ready < threads)
        usleep(1000);
    std::puts("ready");
    char line[64];
    while (std::fgets(line, sizeof line, stdin) != nullptr)
        answer(std::string(line, std::strcspn(line, "\n")));
    _exit(0); // its threads do not end
}
