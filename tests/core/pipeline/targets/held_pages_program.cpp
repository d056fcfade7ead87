// A program with a small block of one function on each page of its heap, which then frees these blocks and returns
// their pages. Arguments: a file that it creates when the blocks are there; a file that it waits for; a file to which
// it writes by how many bytes its resident memory has fallen.
#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

[[gnu::noinline]] void* plant() {
    auto* const block = std::malloc(48);
    asm volatile("" : : "r"(block) : "memory");
    return block;
}

[[gnu::noinline]] void* fill() {
    auto* const block = std::malloc(4000);
    asm volatile("" : : "r"(block) : "memory");
    return block;
}

long residentBytes() {
    long size = 0, resident = 0;
    auto* const file = std::fopen("/proc/self/statm", "r");
    if (file == nullptr || std::fscanf(file, "%ld %ld", &size, &resident) != 2) std::abort();
    std::fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

void write(const char* path, long number) {
    auto* const file = std::fopen(path, "w");
    if (file == nullptr) std::abort();
    std::fprintf(file, "%ld\n", number);
    std::fclose(file);
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    constexpr std::size_t kBlocks = 20'000;
    std::vector<void*> planted(kBlocks), filled(kBlocks);
    for (std::size_t i = 0; i < kBlocks; ++i) {
        planted[i] = plant();
        filled[i] = fill();
        for (int byte = 0; byte < 4000; byte += 100)
            static_cast<volatile char*>(filled[i])[byte] = 1;
        *static_cast<volatile char*>(planted[i]) = 1;
    }
    // Every tenth of the others stays, so that some pages are held by both.
    for (std::size_t i = 0; i < kBlocks; ++i) {
        if (i % 10 != 0) std::free(filled[i]);
    }
    malloc_trim(0); // pages without any block
    write(argv[1], 1);
    while (access(argv[2], F_OK) != 0)
        usleep(1000);
    const auto before = residentBytes();
    for (auto* const block : planted)
        std::free(block);
    malloc_trim(0);
    write(argv[3], before - residentBytes());
    return 0;
}
