#include "core/agent_linux/trial/other_allocators.h"

#include "core/agent_linux/call_sites.h"

#include <cstddef>

// Declared here as in the allocators' own headers, which need not be installed where this is built.
namespace highwater::agent {

namespace {

using Mallctl = int (*)(const char* name, void* old, std::size_t* oldBytes, void* fresh, std::size_t freshBytes);
using NumericProperty = int (*)(const char* name, std::size_t* value);
using ProcessInfo = void (*)(std::size_t* elapsed, std::size_t* user, std::size_t* system, std::size_t* resident,
                             std::size_t* peakResident, std::size_t* committed, std::size_t* peakCommitted,
                             std::size_t* faults);

constexpr const char* kFunctions[kOtherAllocators] = {"mallctl", "je_mallctl", "_rjem_mallctl",
                                                      "MallocExtension_GetNumericProperty", "mi_process_info"};

struct Property {
    AllocatorNumber number;
    const char* name;
};
constexpr Property kOfJemalloc[] = {
    {AllocatorNumber::Allocated, "stats.allocated"}, {AllocatorNumber::Active, "stats.active"},
    {AllocatorNumber::Metadata, "stats.metadata"},   {AllocatorNumber::Resident, "stats.resident"},
    {AllocatorNumber::Mapped, "stats.mapped"},       {AllocatorNumber::Retained, "stats.retained"},
};
constexpr Property kOfTcmalloc[] = {
    {AllocatorNumber::Allocated, "generic.current_allocated_bytes"},
    {AllocatorNumber::Mapped, "generic.heap_size"},
    {AllocatorNumber::FreePages, "tcmalloc.pageheap_free_bytes"},
    {AllocatorNumber::Retained, "tcmalloc.pageheap_unmapped_bytes"},
};
/// Freed blocks that it keeps, by where it keeps them.
constexpr const char* kCachesOfTcmalloc[] = {"tcmalloc.current_total_thread_cache_bytes",
                                             "tcmalloc.central_cache_free_bytes", "tcmalloc.transfer_cache_free_bytes"};

void set(AllocatorAnswer& answer, AllocatorNumber number, std::uint64_t value) {
    const auto index = static_cast<unsigned>(number);
    answer.numbers[index] = value;
    answer.known |= std::uint64_t{1} << index;
}

template <typename T>
bool read(Mallctl mallctl, const char* name, T& value) {
    std::size_t bytes = sizeof value;
    return mallctl(name, &value, &bytes, nullptr, 0) == 0 && bytes == sizeof value;
}

void askJemalloc(Mallctl mallctl, AllocatorAnswer& answer) {
    std::uint64_t epoch = 1; // its numbers are those of the last time that this was written
    mallctl("epoch", nullptr, nullptr, &epoch, sizeof epoch);
    for (const auto& [number, name] : kOfJemalloc) {
        std::size_t value = 0;
        if (read(mallctl, name, value)) set(answer, number, value);
    }
    unsigned arenas = 0;
    if (read(mallctl, "arenas.narenas", arenas)) set(answer, AllocatorNumber::Arenas, arenas);
}

void askTcmalloc(NumericProperty property, AllocatorAnswer& answer) {
    for (const auto& [number, name] : kOfTcmalloc) {
        std::size_t value = 0;
        if (property(name, &value) != 0) set(answer, number, value);
    }
    std::uint64_t caches = 0;
    for (const char* const name : kCachesOfTcmalloc) {
        std::size_t value = 0;
        if (property(name, &value) == 0 || __builtin_add_overflow(caches, value, &caches)) return;
    }
    set(answer, AllocatorNumber::Caches, caches);
}

void askMimalloc(ProcessInfo info, AllocatorAnswer& answer) {
    // On Linux, its current resident memory is only another name of what it committed.
    std::size_t committed = 0, unused = 0;
    info(&unused, &unused, &unused, &unused, &unused, &committed, &unused, &unused);
    set(answer, AllocatorNumber::Committed, committed);
}

/// Its version 4 has no index of all arenas, and does not check it.
bool hasIndexOfAllArenas(Mallctl mallctl) {
    const char* version = nullptr;
    return read(mallctl, "version", version) && version != nullptr && version[0] >= '5' && version[0] <= '9';
}

bool purge(Mallctl mallctl) {
    return hasIndexOfAllArenas(mallctl) && mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0) == 0;
}

/// False: no such function was found.
template <typename Function, typename... Arguments>
bool callIfFound(const char* name, Arguments... arguments) {
    auto* const function = reinterpret_cast<Function*>(findAfterProgram(name));
    if (function != nullptr) function(arguments...);
    return function != nullptr;
}

} // namespace

void* functionOf(OtherAllocator allocator) { return findAfterProgram(kFunctions[static_cast<unsigned>(allocator)]); }

bool usesMutexes(OtherAllocator allocator) {
    return allocator != OtherAllocator::Tcmalloc && allocator != OtherAllocator::Mimalloc;
}

void askForNumbers(OtherAllocator allocator, void* function, AllocatorAnswer& answer) {
    if (allocator == OtherAllocator::Tcmalloc) return askTcmalloc(reinterpret_cast<NumericProperty>(function), answer);
    if (allocator == OtherAllocator::Mimalloc) return askMimalloc(reinterpret_cast<ProcessInfo>(function), answer);
    askJemalloc(reinterpret_cast<Mallctl>(function), answer);
}

bool giveBackMemory(OtherAllocator allocator, void* function) {
    if (allocator == OtherAllocator::Tcmalloc) return callIfFound<void()>("MallocExtension_ReleaseFreeMemory");
    if (allocator == OtherAllocator::Mimalloc) return callIfFound<void(bool)>("mi_collect", true);
    return purge(reinterpret_cast<Mallctl>(function));
}

} // namespace highwater::agent
