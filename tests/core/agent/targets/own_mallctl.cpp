// A program that is linked with an allocator of its own: own_mallctl [spin|sleep|abort] [numbers|purge]. Its mallctl
// does not return, or ends the process, when it is asked for numbers or purges; otherwise it gives extreme numbers.
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace {

const char *does = "", *where = "";
constexpr std::size_t kFreeBytes = 16 << 20;
void* freePages = nullptr;

void misbehave(const char* here) {
    if (std::strcmp(where, here) != 0) return;
    if (std::strcmp(does, "abort") == 0) std::abort();
    while (std::strcmp(does, "sleep") == 0)
        sleep(1000);
    for (volatile bool isEndless = std::strcmp(does, "spin") == 0; isEndless;) {
    }
}

template <typename T>
int give(T value, void* old, std::size_t* oldBytes) {
    if (old == nullptr || *oldBytes != sizeof value) return 22; // EINVAL
    std::memcpy(old, &value, sizeof value);
    return 0;
}

} // namespace

extern "C" int mallctl(const char* name, void* old, std::size_t* oldBytes, void*, std::size_t) {
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
    if (is("epoch")) return 0;
    if (is("version")) return give("5.3.0-0-g54eaed1", old, oldBytes);
    if (is("stats.allocated")) misbehave("numbers");
    if (is("stats.allocated")) return give(SIZE_MAX, old, oldBytes);
    if (is("stats.active")) return give(std::size_t{0}, old, oldBytes);
    if (is("arenas.narenas")) return give(~0u, old, oldBytes);
    if (!is("arena.4096.purge")) return 2; // ENOENT
    misbehave("purge");
    return madvise(freePages, kFreeBytes, MADV_DONTNEED) == 0 ? 0 : 14; // EFAULT
}

int main(int count, char** arguments) {
    if (count > 2) {
        does = arguments[1];
        where = arguments[2];
    }
    freePages = mmap(nullptr, kFreeBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::memset(freePages, 1, kFreeBytes);
    std::atexit([] { std::puts("exits"); });
    std::signal(SIGABRT, [](int) { static_cast<void>(write(STDOUT_FILENO, "aborts\n", 7)); });
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    std::puts("ready");
    char line[64];
    while (std::fgets(line, sizeof line, stdin) != nullptr)
        std::printf("%s", line);
    return 0;
}
