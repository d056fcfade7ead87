#include "tests/core/agent/targets/agent_target.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <malloc.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace {

void* made(void* block, std::size_t bytes) {
    expect("Allocate", block, bytes);
    std::memset(block, 0xA5, bytes);
    return block;
}

void release(void* block) {
    expect("Free", block, 0);
    std::free(block);
}

void reallocated(void* before, void* after, std::size_t bytes) {
    if (before == after) {
        expect("Reallocate", after, bytes);
    } else {
        expect("ReallocateRelease", before, 0);
        expect("ReallocateMake", after, bytes);
    }
}

void reallocate() {
    void* block = made(std::malloc(1000), 1000);
    void* const volatile beside = made(std::malloc(16), 16); // so that the first one cannot grow where it is
    for (const std::size_t bytes : {900, 50'000, 4'000'000, 8'000'000, 10}) {
        void* const before = block;
        block = std::realloc(block, bytes);
        reallocated(before, block, bytes);
    }
    void* before = block;
    block = reallocarray(block, 10, 100);
    reallocated(before, block, 1000);
    if (reallocarray(block, SIZE_MAX / 2, 4) != nullptr || errno != ENOMEM) fail("reallocarray overflows");
    if (std::realloc(block, SIZE_MAX / 2) != nullptr || errno != ENOMEM) fail("realloc of too much");
    expect("Free", block, 0);
    if (std::realloc(block, 0) != nullptr) fail("realloc to nothing");
    release(beside);
    void* volatile none = nullptr;
    release(made(std::realloc(none, 77), 77));
}

void zeroed() {
    release(made(std::malloc(4000), 4000)); // full of 0xA5, and soon to be used again
    auto* bytes = static_cast<unsigned char*>(std::calloc(40, 100));
    for (int i = 0; i < 4000; ++i)
        if (bytes[i] != 0) fail("calloc gave what was used before");
    release(made(bytes, 4000));
    const volatile std::size_t many = SIZE_MAX / 2;
    if (std::calloc(many, 4) != nullptr || errno != ENOMEM) fail("calloc overflows");
}

void aligned() {
    void* block = nullptr;
    if (posix_memalign(&block, 4096, 100) != 0 || reinterpret_cast<std::uintptr_t>(block) % 4096 != 0)
        fail("posix_memalign");
    release(made(block, 100));
    const volatile std::size_t odd = 3;
    if (posix_memalign(&block, odd, 100) != EINVAL) fail("posix_memalign takes an odd alignment");
    release(made(std::aligned_alloc(64, 640), 640));
    release(made(memalign(256, 30), 30));
    release(made(valloc(5000), 5000));
    release(made(pvalloc(5000), 5000));
}

void cplusplus() {
    char* block = new char[300];
    expect("Allocate", block, 300);
    expect("Free", block, 0);
    delete[] block;
    struct alignas(128) Wide {
        char bytes[256];
    };
    Wide* volatile wide = new Wide;
    expect("Allocate", wide, sizeof(Wide));
    expect("Free", wide, 0);
    delete wide;
}

} // namespace

int runBlocks(int) {
    mark();
    release(made(std::malloc(24), 24));
    release(made(std::malloc(1 << 20), 1 << 20)); // libc maps this one, so the program did not call mmap
    void* volatile none = nullptr;
    std::free(none);
    zeroed();
    reallocate();
    aligned();
    cplusplus();
    mark();
    printExpected();
    return 0;
}

int runPages(int) {
    constexpr std::size_t kPage = 4096;
    mark();
    auto* pages = static_cast<char*>(mmap(nullptr, 16 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    expect("Map 0", pages, 16 * kPage);
    mprotect(pages, 4 * kPage, PROT_READ | PROT_WRITE);
    expect("Protect 3", pages, 4 * kPage);
    pages[0] = 1;
    madvise(pages, kPage, MADV_DONTNEED);
    expect("Advise", pages, kPage);
    if (pages[0] != 0) fail("madvise");
    madvise(pages, kPage, MADV_NORMAL); // changes no memory
    if (mprotect(pages + 1, kPage, PROT_READ) == 0) fail("mprotect of no page");
    if (munmap(pages + 1, kPage) == 0) fail("munmap of no page");
    munmap(pages + 8 * kPage, 8 * kPage);
    expect("Unmap", pages + 8 * kPage, 8 * kPage);
    void* const moved = mremap(pages, 4 * kPage, 64 * kPage, MREMAP_MAYMOVE);
    expect("Remap", moved, 64 * kPage);
    void* const wanted = mmap64(nullptr, 64 * kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect("Map 1", wanted, 64 * kPage);
    if (mremap(moved, 64 * kPage, 64 * kPage, MREMAP_MAYMOVE | MREMAP_FIXED, wanted) != wanted)
        fail("mremap to a place");
    expect("Remap", wanted, 64 * kPage);
    auto* const end = static_cast<char*>(sbrk(kPage));
    expect("Break", end + kPage, 0);
    if (brk(end) != 0) fail("brk");
    expect("Break", end, 0);
    mark();
    printExpected();
    return 0;
}

/// Makes and frees N blocks, so the program lives as long as that takes.
int runMany(int count) {
    unsigned sum = 0;
    for (int i = 0; i < count; ++i) {
        auto* volatile block = static_cast<char*>(std::malloc(100));
        block[0] = static_cast<char>(i);
        sum += static_cast<unsigned char>(block[0]);
        std::free(block);
    }
    expect("sum", nullptr, sum);
    printExpected();
    return 7;
}

/// N times 20,000 blocks; after each batch it stops itself until it gets SIGCONT.
int runBursts(int count) {
    for (int burst = 0; burst < count; ++burst) {
        for (int i = 0; i < 20'000; ++i) {
            void* volatile block = std::malloc(100);
            std::free(block);
        }
        raise(SIGSTOP);
    }
    return 0;
}

int runClose(int count) {
    closefrom(3);
    return runMany(count);
}

int runExit(int count) {
    for (int i = 0; i < count; ++i) {
        void* volatile block = std::malloc(4242);
        static_cast<void>(block);
    }
    _exit(3);
}

int runCrash(int count) {
    for (int i = 0; i < count; ++i) {
        void* volatile block = std::malloc(4242);
        static_cast<void>(block);
    }
    volatile int* volatile nowhere = nullptr;
    *nowhere = 1;
    return 0;
}

int runEnvironment(int) {
    for (char** variable = environ; *variable != nullptr; ++variable)
        expect(*variable, nullptr, 0);
    printExpected();
    return 0;
}
