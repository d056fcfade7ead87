#include "core/base/huge_pages.h"

#include <windows.h>

namespace highwater {

void ChunkDeleter::operator()(std::byte* chunk) const noexcept { ::VirtualFree(chunk, 0, MEM_RELEASE); }

// Large pages need a privilege that users lack, so ordinary pages are used. VirtualAlloc aligns to 64 KiB, which is
// enough for the columns.
ChunkMemory allocateChunk(PageSize) {
    return ChunkMemory(
        static_cast<std::byte*>(::VirtualAlloc(nullptr, kHugePageBytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE)));
}

void preferHugePages(void*, std::size_t) {}

void* allocatePages(std::size_t bytes) {
    return ::VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void releasePages(void* memory, std::size_t) noexcept { ::VirtualFree(memory, 0, MEM_RELEASE); }

void releaseFreeMemory() {} // Windows heaps do this themselves
void releaseLargeMemoryImmediately() {}

std::optional<std::uint64_t> machineMemoryBytes() {
    MEMORYSTATUSEX memory{};
    memory.dwLength = sizeof memory;
    if (!::GlobalMemoryStatusEx(&memory)) return std::nullopt;
    return memory.ullTotalPhys;
}

} // namespace highwater
