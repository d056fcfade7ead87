// A program that attach_kills.py records: `kill_target allocate|idle|threads`. Until its standard input ends, it prints
// a line many times a second: the number of rounds of each thread. A stopped thread no longer counts.
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <poll.h>
#include <string_view>
#include <thread>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kThreads = 3;
constexpr auto kPause = std::chrono::milliseconds(5);

std::array<std::atomic<unsigned long>, kThreads> rounds;

void allocate() {
    std::array<void*, 16> blocks{};
    for (std::size_t i = 0; i < blocks.size(); ++i)
        blocks[i] = std::malloc(16 + 40 * i);
    for (void* block : blocks)
        std::free(block);
}

/// One round, in one of the ways in which a thread passes its time.
void goRound(std::string_view way) {
    if (way == "idle")
        std::this_thread::sleep_for(kPause);
    else if (way == "threads")
        std::thread(allocate).join();
    else
        allocate();
}

/// Returns false when the reader is gone.
bool tell() {
    std::array<char, 128> line{};
    const int bytes =
        std::snprintf(line.data(), line.size(), "%lu %lu %lu\n", rounds[0].load(), rounds[1].load(), rounds[2].load());
    return write(STDOUT_FILENO, line.data(), static_cast<std::size_t>(bytes)) == bytes;
}

} // namespace

int main(int count, char** arguments) {
    const std::string_view way = count > 1 ? arguments[1] : "";
    if (way != "allocate" && way != "idle" && way != "threads") return 64;
    for (std::size_t i = 1; i < kThreads; ++i)
        std::thread([way, i] {
            while (true) {
                goRound(way);
                ++rounds[i];
            }
        }).detach();
    // The first thread does the same as the others: the recorder would always pick a waiting one.
    for (auto told = Clock::now();; ++rounds[0]) {
        goRound(way);
        if (Clock::now() - told < kPause) continue;
        told = Clock::now();
        pollfd input{STDIN_FILENO, POLLIN, 0};
        if (!tell() || (poll(&input, 1, 0) > 0 && (input.revents & (POLLIN | POLLHUP)) != 0)) return 0;
    }
}
