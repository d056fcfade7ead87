#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

/// A program whose allocations show its progress: the size of each is kBase plus the milliseconds since its start. A
/// file contains the same number, to compare with the recording.
///
///     progress_target FILE BLOCKS_PER_MILLISECOND
///
/// It continues until it is killed, but for at most a minute.
int main(int argc, char** argv) {
    constexpr std::size_t kBase = 100'000;
    constexpr std::uint64_t kLongest = 60'000;
    if (argc != 3) return 2;
    const int file = ::open(argv[1], O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ::ftruncate(file, sizeof(std::uint64_t)) != 0) return 2;
    void* const page = ::mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) return 2;
    auto& told = *static_cast<std::atomic<std::uint64_t>*>(page);
    const auto blocks = std::atoi(argv[2]);
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint64_t now = 0; now < kLongest;) {
        const auto passed = std::chrono::steady_clock::now() - begin;
        now = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(passed).count());
        void* volatile block = std::malloc(kBase + now);
        std::free(block);
        told.store(now, std::memory_order_relaxed);
        for (int i = 1; i < blocks; ++i) {
            block = std::malloc(static_cast<std::size_t>(16 + i % 64));
            std::free(block);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return 0;
}
