// A program that runs with another allocator (LD_PRELOAD), and asks it for its numbers as its manual says:
// allocator_numbers MEGABYTES THREADS CHURN. It frees most of MEGABYTES; then THREADS threads allocate blocks of up to
// CHURN bytes without end. Answers lines of its standard input.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

template <typename Function>
Function* find(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

int (*mallctl)(const char*, void*, std::size_t*, void*, std::size_t);
int (*numericProperty)(const char*, std::size_t*);
void (*releaseFreeMemory)();
void (*processInfo)(std::size_t*, std::size_t*, std::size_t*, std::size_t*, std::size_t*, std::size_t*, std::size_t*,
                    std::size_t*);
void (*collect)(bool);

void findFunctions() {
    mallctl = find<int(const char*, void*, std::size_t*, void*, std::size_t)>("mallctl");
    numericProperty = find<int(const char*, std::size_t*)>("MallocExtension_GetNumericProperty");
    releaseFreeMemory = find<void()>("MallocExtension_ReleaseFreeMemory");
    processInfo = find<void(std::size_t*, std::size_t*, std::size_t*, std::size_t*, std::size_t*, std::size_t*,
                            std::size_t*, std::size_t*)>("mi_process_info");
    collect = find<void(bool)>("mi_collect");
}

unsigned long long byMallctl(const char* name) {
    std::size_t value = 0, bytes = sizeof value;
    mallctl(name, &value, &bytes, nullptr, 0);
    return value;
}

unsigned long long byProperty(const char* name) {
    std::size_t value = 0;
    numericProperty(name, &value);
    return value;
}

void sayNumbers() {
    if (mallctl != nullptr) {
        std::uint64_t epoch = 1;
        mallctl("epoch", nullptr, nullptr, &epoch, sizeof epoch);
        unsigned arenas = 0;
        std::size_t bytes = sizeof arenas;
        mallctl("arenas.narenas", &arenas, &bytes, nullptr, 0);
        std::printf("allocated %llu active %llu metadata %llu resident %llu mapped %llu retained %llu arenas %u end\n",
                    byMallctl("stats.allocated"), byMallctl("stats.active"), byMallctl("stats.metadata"),
                    byMallctl("stats.resident"), byMallctl("stats.mapped"), byMallctl("stats.retained"), arenas);
    } else if (numericProperty != nullptr) {
        const auto caches = byProperty("tcmalloc.current_total_thread_cache_bytes") +
                            byProperty("tcmalloc.central_cache_free_bytes") +
                            byProperty("tcmalloc.transfer_cache_free_bytes");
        std::printf("allocated %llu mapped %llu retained %llu free_pages %llu caches %llu end\n",
                    byProperty("generic.current_allocated_bytes"), byProperty("generic.heap_size"),
                    byProperty("tcmalloc.pageheap_unmapped_bytes"), byProperty("tcmalloc.pageheap_free_bytes"), caches);
    } else if (processInfo != nullptr) {
        std::size_t unused = 0, committed = 0;
        processInfo(&unused, &unused, &unused, &unused, &unused, &committed, &unused, &unused);
        std::printf("committed %zu end\n", committed);
    }
}

void release() {
    if (mallctl != nullptr) mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0);
    if (releaseFreeMemory != nullptr) releaseFreeMemory();
    if (collect != nullptr) collect(true);
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

std::size_t sizeOf(std::size_t index) { return 100 + index * 7919 % 800; }

void allocateAndFree(std::size_t total) {
    std::vector<void*> blocks;
    for (std::size_t bytes = 0; bytes < total; bytes += sizeOf(blocks.size()))
        blocks.push_back(std::memset(std::malloc(sizeOf(blocks.size())), 1, sizeOf(blocks.size())));
    for (std::size_t i = blocks.size() / 50; i < blocks.size(); ++i)
        std::free(blocks[i]);
}

void churn(unsigned limit) {
    void* kept[64] = {};
    for (unsigned i = 1;; i = i * 1103515245u + 12345u) {
        auto& block = kept[(i >> 8) % 64];
        std::free(block);
        block = std::malloc(1 + (i >> 8) % limit);
    }
}

} // namespace

int main(int count, char** arguments) {
    if (count != 4) return 2;
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    std::setvbuf(stdin, nullptr, _IONBF, 0);
    findFunctions();
    allocateAndFree(static_cast<std::size_t>(std::atoi(arguments[1])) << 20);
    for (int i = 0; i < std::atoi(arguments[2]); ++i)
        std::thread(churn, static_cast<unsigned>(std::atoi(arguments[3]))).detach();
    std::puts("ready");
    char line[64];
    while (std::fgets(line, sizeof line, stdin) != nullptr) {
        if (std::strcmp(line, "numbers\n") == 0) sayNumbers();
        if (std::strcmp(line, "release\n") != 0) continue;
        const long before = anonymousKb();
        release();
        std::printf("released %ld end\n", (before - anonymousKb()) * 1024);
    }
    _exit(0); // its threads do not end
}
