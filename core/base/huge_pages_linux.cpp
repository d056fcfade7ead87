#include "core/base/huge_pages.h"

#include <cstdint>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace highwater {

void ChunkDeleter::operator()(std::byte* chunk) const noexcept { ::munmap(chunk, kHugePageBytes); }

ChunkMemory allocateChunk(PageSize pages) {
    // Map twice the size and unmap everything outside the aligned part because mmap has no alignment parameter.
    void* wide = ::mmap(nullptr, 2 * kHugePageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (wide == MAP_FAILED) return nullptr;
    const auto first = reinterpret_cast<std::uintptr_t>(wide);
    const auto aligned = (first + kHugePageBytes - 1) & ~(kHugePageBytes - 1);
    const auto head = aligned - first;
    if (head > 0) ::munmap(wide, head);
    auto* chunk = reinterpret_cast<std::byte*>(aligned);
    const auto tail = kHugePageBytes - head;
    if (tail > 0) ::munmap(chunk + kHugePageBytes, tail);
    ::madvise(chunk, kHugePageBytes, pages == PageSize::Huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    return ChunkMemory(chunk);
}

void preferHugePages(void* memory, std::size_t bytes) {
    const auto first = (reinterpret_cast<std::uintptr_t>(memory) + kHugePageBytes - 1) & ~(kHugePageBytes - 1);
    const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) & ~(kHugePageBytes - 1);
    if (first < end) ::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

void* allocatePages(std::size_t bytes) {
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}

void releasePages(void* memory, std::size_t bytes) noexcept { ::munmap(memory, bytes); }

void releaseFreeMemory() {
#ifdef __GLIBC__
    (void)::malloc_trim(0);
#endif
}

void releaseLargeMemoryImmediately() {
#ifdef __GLIBC__
    // An explicit limit also stops glibc from raising it, up to 32 MB, with each freed block.
    (void)::mallopt(M_MMAP_THRESHOLD, 4 << 20);
    (void)::mallopt(M_TRIM_THRESHOLD, 8 << 20); // 128 KB would cause constant requests to the system
#endif
}

std::optional<std::uint64_t> machineMemoryBytes() {
    const auto pages = ::sysconf(_SC_PHYS_PAGES);
    if (pages <= 0) return std::nullopt;
    return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace highwater
