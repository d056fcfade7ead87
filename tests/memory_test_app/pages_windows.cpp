#include "tests/memory_test_app/pages.h"

#include <cstdlib>
#include <windows.h>

void* commitPages(std::size_t bytes) {
    void* pages = ::VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (pages == nullptr) std::abort();
    return pages;
}

void* reservePages(std::size_t bytes) {
    void* pages = ::VirtualAlloc(nullptr, bytes, MEM_RESERVE, PAGE_NOACCESS);
    if (pages == nullptr) std::abort();
    return pages;
}

void releasePages(void* pages, std::size_t) { ::VirtualFree(pages, 0, MEM_RELEASE); }
