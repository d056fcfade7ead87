#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

// Keeps 100 bytes, then three buffers each of 1, 10 and 100 MiB. Before the first of these and after each it creates
// the file FOLDER/at.N and waits for FOLDER/go.N. It allocates nothing else meanwhile.

namespace {

constexpr std::size_t kMegabyte = 1 << 20;
std::array<void* volatile, 9> kept; // otherwise the buffers would be optimised away
void* volatile first;

void nameOf(char (&path)[4096], const char* folder, const char* what, int step) {
    std::snprintf(path, sizeof(path), "%s/%s.%d", folder, what, step);
}

void stop(const char* folder, int step) {
    char path[4096];
    nameOf(path, folder, "at", step);
    const int file = ::open(path, O_CREAT | O_WRONLY, 0600);
    if (file < 0) std::exit(1);
    ::close(file);
    nameOf(path, folder, "go", step);
    while (::access(path, F_OK) != 0)
        ::usleep(10'000);
}

} // namespace

extern "C" {
[[gnu::noinline]] void alloc_1_mb(int number) { kept[static_cast<std::size_t>(number)] = std::malloc(kMegabyte); }
[[gnu::noinline]] void alloc_10_mb(int number) { kept[static_cast<std::size_t>(number)] = std::malloc(10 * kMegabyte); }
[[gnu::noinline]] void alloc_100_mb(int number) {
    kept[static_cast<std::size_t>(number)] = std::malloc(100 * kMegabyte);
}
}

int main(int argc, char** argv) {
    if (argc != 2) return 1;
    first = std::malloc(100);
    stop(argv[1], 0);
    for (int i = 0; i < 9; ++i) {
        if (i < 3)
            alloc_1_mb(i);
        else if (i < 6)
            alloc_10_mb(i);
        else
            alloc_100_mb(i);
        stop(argv[1], i + 1);
    }
    return 0;
}
