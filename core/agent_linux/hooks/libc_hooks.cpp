#include "core/agent_linux/call_sites.h"
#include "core/agent_linux/hooks/heap_records.h"
#include "core/agent_linux/hooks/real_functions.h"

#include <cstddef>

// The allocation functions of libc under their internal names. A program with its own malloc calls them, and only these
// calls can be redirected. Calls during an allocation that is already recorded are part of it.

#define HIGHWATER_HOOK extern "C" __attribute__((visibility("default"), noinline))

using namespace highwater::agent;

namespace {

template <typename Call>
void* allocateByLibc(const Call& call, std::size_t bytes, const Caller& caller) {
    if (RealCall::isUnderWay(hookFrameOf(caller))) return call();
    RealCall work(hookFrameOf(caller));
    void* const block = call();
    recordAllocation(work.before(), block, bytes, caller);
    return block;
}

} // namespace

HIGHWATER_HOOK void* __libc_malloc(std::size_t bytes) {
    return allocateByLibc([=] { return real().libcMalloc(bytes); }, bytes, HIGHWATER_CALLER());
}
HIGHWATER_HOOK void* __libc_calloc(std::size_t count, std::size_t bytes) {
    return allocateByLibc([=] { return real().libcCalloc(count, bytes); }, count * bytes, HIGHWATER_CALLER());
}
HIGHWATER_HOOK void* __libc_memalign(std::size_t alignment, std::size_t bytes) {
    return allocateByLibc([=] { return real().libcMemalign(alignment, bytes); }, bytes, HIGHWATER_CALLER());
}
HIGHWATER_HOOK void* __libc_valloc(std::size_t bytes) {
    return allocateByLibc([=] { return real().libcValloc(bytes); }, bytes, HIGHWATER_CALLER());
}
HIGHWATER_HOOK void* __libc_pvalloc(std::size_t bytes) {
    return allocateByLibc([=] { return real().libcPvalloc(bytes); }, bytes, HIGHWATER_CALLER());
}

HIGHWATER_HOOK void* __libc_realloc(void* block, std::size_t bytes) {
    const Caller caller = HIGHWATER_CALLER();
    const auto call = [=] { return real().libcRealloc(block, bytes); };
    if (block == nullptr) return allocateByLibc(call, bytes, caller);
    if (RealCall::isUnderWay(hookFrameOf(caller)) || !isRecordingHeap()) return call();
    RealCall work(hookFrameOf(caller));
    return recordReallocation(call, block, bytes, caller);
}

HIGHWATER_HOOK void __libc_free(void* block) {
    if (isInArena(block) || isFindingRealFunctions()) return;
    if (RealCall::isUnderWay(HIGHWATER_HOOK_FRAME())) return real().libcFree(block);
    RealCall work(HIGHWATER_HOOK_FRAME());
    recordFree(work.before(), block, HIGHWATER_CALLER());
    real().libcFree(block);
}

HIGHWATER_OURS_UNDECLARED(void*, __libc_malloc, (std::size_t));
HIGHWATER_OURS_UNDECLARED(void*, __libc_calloc, (std::size_t, std::size_t));
HIGHWATER_OURS_UNDECLARED(void*, __libc_memalign, (std::size_t, std::size_t));
HIGHWATER_OURS_UNDECLARED(void*, __libc_valloc, (std::size_t));
HIGHWATER_OURS_UNDECLARED(void*, __libc_pvalloc, (std::size_t));
HIGHWATER_OURS_UNDECLARED(void*, __libc_realloc, (void*, std::size_t));
HIGHWATER_OURS_UNDECLARED(void, __libc_free, (void*));

namespace highwater::agent {

const Hook libcHooks[] = {HIGHWATER_HOOK_ROW(__libc_malloc, &realFunctions.libcMalloc),
                          HIGHWATER_HOOK_ROW(__libc_calloc, &realFunctions.libcCalloc),
                          HIGHWATER_HOOK_ROW(__libc_memalign, &realFunctions.libcMemalign),
                          HIGHWATER_HOOK_ROW(__libc_valloc, &realFunctions.libcValloc),
                          HIGHWATER_HOOK_ROW(__libc_pvalloc, &realFunctions.libcPvalloc),
                          HIGHWATER_HOOK_ROW(__libc_realloc, &realFunctions.libcRealloc),
                          HIGHWATER_HOOK_ROW(__libc_free, &realFunctions.libcFree),
                          {}};

} // namespace highwater::agent
