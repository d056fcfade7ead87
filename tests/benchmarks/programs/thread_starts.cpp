// thread_starts THREADS BLOCKS: this many threads, started while others are working, share allocating and freeing that
// many blocks.
#include <cstdlib>
#include <thread>
#include <vector>

int main(int count, char** arguments) {
    if (count != 3) return 64;
    const int threadCount = std::atoi(arguments[1]);
    const int blocks = std::atoi(arguments[2]) / threadCount;
    std::vector<std::thread> threads;
    for (int i = 0; i < threadCount; ++i)
        threads.emplace_back([blocks] {
            for (int block = 0; block < blocks; ++block) {
                void* volatile made = std::malloc(64);
                std::free(made);
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    return 0;
}
