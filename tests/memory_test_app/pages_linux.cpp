#include "tests/memory_test_app/pages.h"

#include <cstdlib>
#include <sys/mman.h>

namespace {
void* map(std::size_t bytes, int protection) {
    void* pages = ::mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) std::abort();
    return pages;
}
} // namespace

void* commitPages(std::size_t bytes) {
    void* pages = map(bytes, PROT_READ | PROT_WRITE);
    asm volatile("" ::: "memory"); // stays a frame of its own
    return pages;
}

void* reservePages(std::size_t bytes) { return map(bytes, PROT_NONE); }

void releasePages(void* pages, std::size_t bytes) { ::munmap(pages, bytes); }
