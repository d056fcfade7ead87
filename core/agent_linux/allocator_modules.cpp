#include "core/agent_linux/allocator_modules.h"

#include "core/agent_linux/loaded_object.h"

#include <atomic>
#include <gnu/libc-version.h>

namespace highwater::agent {

namespace {

constexpr std::uint32_t kMostAllocators = 8; ///< further ones count as ordinary modules

struct Range {
    std::uint64_t begin;
    std::uint64_t end;
};
Range allocators[kMostAllocators];
std::atomic<std::uint32_t> allocatorCount;

bool isLibc(const dl_find_object& module) {
    dl_find_object libc{};
    return findLoadedObject(reinterpret_cast<std::uint64_t>(&gnu_get_libc_version), libc) &&
           libc.dlfo_link_map == module.dlfo_link_map;
}

} // namespace

void noteAllocator(const void* function) {
    dl_find_object module{};
    const std::uint32_t count = allocatorCount.load(std::memory_order_relaxed);
    if (function == nullptr || count == kMostAllocators ||
        !findLoadedObject(reinterpret_cast<std::uint64_t>(function), module) || isLibc(module))
        return;
    const Range range{reinterpret_cast<std::uint64_t>(module.dlfo_map_start),
                      reinterpret_cast<std::uint64_t>(module.dlfo_map_end)};
    for (std::uint32_t i = 0; i < count; ++i)
        if (allocators[i].begin == range.begin) return;
    allocators[count] = range;
    allocatorCount.store(count + 1, std::memory_order_release);
}

bool isAllocatorCode(std::uint64_t returnAddress) {
    const std::uint32_t count = allocatorCount.load(std::memory_order_acquire);
    for (std::uint32_t i = 0; i < count; ++i)
        if (returnAddress >= allocators[i].begin && returnAddress < allocators[i].end) return true;
    return false;
}

} // namespace highwater::agent
