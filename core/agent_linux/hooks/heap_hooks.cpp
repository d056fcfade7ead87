#include "core/agent_linux/allocator_modules.h"
#include "core/agent_linux/call_sites.h"
#include "core/agent_linux/hooks/heap_records.h"
#include "core/agent_linux/hooks/real_functions.h"
#include "core/agent_linux/record_writer.h"
#include "core/agent_linux/recording.h"
#include "core/agent_linux/thread_recorder.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <malloc.h>

// The allocation functions of C. C++'s operator new, and allocations that libc makes for others, also use them. The end
// of a block is recorded before it is freed, and its start after it was allocated, so that no other thread can record a
// start of the same address before that end.

#define HIGHWATER_HOOK extern "C" __attribute__((visibility("default"), noinline))

using namespace highwater::agent;

namespace {

/// libc allocates memory while it looks up its functions for us.
void* fromArena(std::size_t bytes, std::size_t alignment = 16) {
    void* block = takeFromArena(bytes, alignment);
    if (block == nullptr) errno = ENOMEM;
    return block;
}

void* moveOutOfArena(void* block, std::size_t bytes, const Caller& caller) {
    void* fresh = nullptr;
    if (isFindingRealFunctions()) {
        fresh = fromArena(bytes);
    } else {
        RealCall call(hookFrameOf(caller));
        fresh = real().malloc(bytes);
        recordAllocation(call.before(), fresh, bytes, caller);
    }
    const std::size_t behind = arenaBytesBehind(block);
    if (fresh != nullptr) std::memmove(fresh, block, bytes < behind ? bytes : behind);
    return fresh;
}

void* reallocate(void* block, std::size_t bytes, const Caller& caller) {
    if (isInArena(block)) return moveOutOfArena(block, bytes, caller);
    RealCall call(hookFrameOf(caller));
    if (block == nullptr) {
        void* const fresh = real().realloc(block, bytes);
        recordAllocation(call.before(), fresh, bytes, caller);
        return fresh;
    }
    const bool isRecorded = isRecordingHeap() && (call.before() == 0 || isOneOfItsOwn(call.before(), caller));
    const auto reallocateIt = [=] { return real().realloc(block, bytes); };
    return isRecorded ? recordReallocation(reallocateIt, block, bytes, caller) : reallocateIt();
}

} // namespace

HIGHWATER_HOOK void* malloc(std::size_t bytes) {
    if (isFindingRealFunctions()) [[unlikely]]
        return fromArena(bytes);
    RealCall call(HIGHWATER_HOOK_FRAME());
    void* const block = real().malloc(bytes);
    recordAllocation(call.before(), block, bytes, HIGHWATER_CALLER());
    return block;
}

HIGHWATER_HOOK void* calloc(std::size_t count, std::size_t bytes) {
    if (isFindingRealFunctions()) [[unlikely]] {
        if (bytes != 0 && count > SIZE_MAX / bytes) return nullptr;
        return fromArena(count * bytes);
    }
    RealCall call(HIGHWATER_HOOK_FRAME());
    void* const block = real().calloc(count, bytes);
    recordAllocation(call.before(), block, count * bytes, HIGHWATER_CALLER());
    return block;
}

HIGHWATER_HOOK void* realloc(void* block, std::size_t bytes) {
    if (isFindingRealFunctions() && block == nullptr) [[unlikely]]
        return fromArena(bytes);
    return reallocate(block, bytes, HIGHWATER_CALLER());
}

HIGHWATER_HOOK void* reallocarray(void* block, std::size_t count, std::size_t bytes) {
    if (bytes != 0 && count > SIZE_MAX / bytes) {
        errno = ENOMEM;
        return nullptr;
    }
    return reallocate(block, count * bytes, HIGHWATER_CALLER());
}

HIGHWATER_HOOK void free(void* block) {
    if (isInArena(block)) [[unlikely]]
        return;
    if (isFindingRealFunctions()) [[unlikely]]
        return; // cannot be freed now: a few bytes, once
    // The allocator will access the word before the block and its start, which may be another cache line that was not
    // used for long. Both are prefetched while the record is written.
    __builtin_prefetch(static_cast<char*>(block) - 8);
    __builtin_prefetch(block);
    RealCall call(HIGHWATER_HOOK_FRAME());
    recordFree(call.before(), block, HIGHWATER_CALLER());
    real().free(block);
}

HIGHWATER_HOOK int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
    RealCall call(HIGHWATER_HOOK_FRAME());
    const int error = real().posix_memalign(block, alignment, bytes);
    if (error == 0) recordAllocation(call.before(), *block, bytes, HIGHWATER_CALLER());
    return error;
}

HIGHWATER_HOOK void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    RealCall call(HIGHWATER_HOOK_FRAME());
    void* const block = real().aligned_alloc(alignment, bytes);
    recordAllocation(call.before(), block, bytes, HIGHWATER_CALLER());
    return block;
}

HIGHWATER_HOOK void* memalign(std::size_t alignment, std::size_t bytes) {
    if (isFindingRealFunctions()) [[unlikely]]
        return fromArena(bytes, alignment);
    RealCall call(HIGHWATER_HOOK_FRAME());
    void* const block = real().memalign(alignment, bytes);
    recordAllocation(call.before(), block, bytes, HIGHWATER_CALLER());
    return block;
}

HIGHWATER_HOOK void* valloc(std::size_t bytes) {
    RealCall call(HIGHWATER_HOOK_FRAME());
    void* const block = real().valloc(bytes);
    recordAllocation(call.before(), block, bytes, HIGHWATER_CALLER());
    return block;
}

HIGHWATER_HOOK void* pvalloc(std::size_t bytes) {
    RealCall call(HIGHWATER_HOOK_FRAME());
    void* const block = real().pvalloc(bytes);
    recordAllocation(call.before(), block, bytes, HIGHWATER_CALLER());
    return block;
}

// An old name of free.
extern "C" __attribute__((visibility("default"), alias("free"), copy(free))) void cfree(void*);

HIGHWATER_OURS(malloc);
HIGHWATER_OURS(calloc);
HIGHWATER_OURS(realloc);
HIGHWATER_OURS(reallocarray);
HIGHWATER_OURS(free);
HIGHWATER_OURS(posix_memalign);
HIGHWATER_OURS(aligned_alloc);
HIGHWATER_OURS(memalign);
HIGHWATER_OURS(valloc);
HIGHWATER_OURS(pvalloc);

namespace highwater::agent {

const Hook heapHooks[] = {HIGHWATER_HOOK_ROW(malloc, &realFunctions.malloc),
                          HIGHWATER_HOOK_ROW(calloc, &realFunctions.calloc),
                          HIGHWATER_HOOK_ROW(realloc, &realFunctions.realloc),
                          {"reallocarray", reinterpret_cast<void*>(&highwater_reallocarray), nullptr},
                          HIGHWATER_HOOK_ROW(free, &realFunctions.free),
                          {"cfree", reinterpret_cast<void*>(&highwater_free), nullptr},
                          HIGHWATER_HOOK_ROW(posix_memalign, &realFunctions.posix_memalign),
                          HIGHWATER_HOOK_ROW(aligned_alloc, &realFunctions.aligned_alloc),
                          HIGHWATER_HOOK_ROW(memalign, &realFunctions.memalign),
                          HIGHWATER_HOOK_ROW(valloc, &realFunctions.valloc),
                          HIGHWATER_HOOK_ROW(pvalloc, &realFunctions.pvalloc),
                          {}};

} // namespace highwater::agent
