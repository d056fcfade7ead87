#include "core/agent_linux/call_sites.h"
#include "core/agent_linux/real_functions.h"
#include "core/agent_linux/record_writer.h"
#include "core/agent_linux/recording.h"
#include "core/agent_linux/thread_recorder.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <malloc.h>

// The allocation functions of C. C++'s operator new and what libc allocates for others come through them, too.
// A block's end is recorded before it is given back and its begin after it was taken, so that on no other thread the
// same address can begin before it ended.

#define HIGHWATER_HOOK extern "C" __attribute__((visibility("default"), noinline))

using namespace highwater::agent;

namespace {

std::uint64_t addressOf(const void* block) { return reinterpret_cast<std::uint64_t>(block); }

void recordAllocation(const RealCall& call, const void* block, std::size_t bytes, const Caller& caller) {
    if (block == nullptr || !isRecordingHeap()) return;
    if (call.isNested()) return countNested();
    RecordWriter writer;
    if (!writer.isOpen()) return;
    const std::uint64_t stack = writer.stack(caller);
    writer.writeAllocation(addressOf(block), bytes, stack);
}

void recordFree(const RealCall& call, const void* block, const Caller& caller) {
    if (block == nullptr || !isRecordingHeap()) return;
    if (call.isNested()) return countNested();
    RecordWriter writer;
    if (!writer.isOpen()) return;
    if ((recording.options & kFreeStacks) == 0) {
        writer.writeFree(addressOf(block));
    } else {
        const std::uint64_t stack = writer.stack(caller);
        writer.write(RecordOp::FreeStack, {addressOf(block), stack});
    }
}

/// libc asks for memory while we ask libc where its functions are.
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
        RealCall call;
        fresh = real().malloc(bytes);
        recordAllocation(call, fresh, bytes, caller);
    }
    const std::size_t behind = arenaBytesBehind(block);
    if (fresh != nullptr) std::memmove(fresh, block, bytes < behind ? bytes : behind);
    return fresh;
}

/// The record spans the call: its block ends before, and begins after it.
void* reallocateRecorded(void* block, std::size_t bytes, const Caller& caller) {
    RecordWriter writer;
    const std::uint64_t before = writer.tick();
    void* const fresh = real().realloc(block, bytes);
    const int error = errno;
    if (!writer.isOpen()) return fresh;
    if (fresh != nullptr) {
        writer.timeAgain();
        const std::uint64_t stack = writer.stack(caller);
        writer.write(RecordOp::Reallocate, {addressOf(fresh), bytes, addressOf(block), stack, before});
    } else if (bytes == 0) { // libc frees the block then
        const bool hasStack = (recording.options & kFreeStacks) != 0;
        if (hasStack)
            writer.writeAt(before, RecordOp::FreeStack, {addressOf(block), writer.stack(caller)});
        else
            writer.writeAt(before, RecordOp::Free, {addressOf(block)});
    }
    errno = error;
    return fresh;
}

void* reallocate(void* block, std::size_t bytes, const Caller& caller) {
    if (isInArena(block)) return moveOutOfArena(block, bytes, caller);
    RealCall call;
    if (block != nullptr && !call.isNested() && isRecordingHeap()) return reallocateRecorded(block, bytes, caller);
    void* const fresh = real().realloc(block, bytes);
    if (block == nullptr)
        recordAllocation(call, fresh, bytes, caller);
    else if (isRecordingHeap())
        countNested();
    return fresh;
}

} // namespace

HIGHWATER_HOOK void* malloc(std::size_t bytes) {
    if (isFindingRealFunctions()) [[unlikely]]
        return fromArena(bytes);
    RealCall call;
    void* const block = real().malloc(bytes);
    recordAllocation(call, block, bytes, HIGHWATER_CALLER());
    return block;
}

HIGHWATER_HOOK void* calloc(std::size_t count, std::size_t bytes) {
    if (isFindingRealFunctions()) [[unlikely]] {
        if (bytes != 0 && count > SIZE_MAX / bytes) return nullptr;
        return fromArena(count * bytes);
    }
    RealCall call;
    void* const block = real().calloc(count, bytes);
    recordAllocation(call, block, count * bytes, HIGHWATER_CALLER());
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
        return; // cannot be given back now: a few bytes, once
    // The allocator will look at what lies before the block and at its begin, which may be another cache line, often
    // for the first time in long: both come while we write.
    __builtin_prefetch(static_cast<char*>(block) - 8);
    __builtin_prefetch(block);
    RealCall call;
    recordFree(call, block, HIGHWATER_CALLER());
    real().free(block);
}

HIGHWATER_HOOK int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
    RealCall call;
    const int error = real().posix_memalign(block, alignment, bytes);
    if (error == 0) recordAllocation(call, *block, bytes, HIGHWATER_CALLER());
    return error;
}

HIGHWATER_HOOK void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    RealCall call;
    void* const block = real().aligned_alloc(alignment, bytes);
    recordAllocation(call, block, bytes, HIGHWATER_CALLER());
    return block;
}

HIGHWATER_HOOK void* memalign(std::size_t alignment, std::size_t bytes) {
    if (isFindingRealFunctions()) [[unlikely]]
        return fromArena(bytes, alignment);
    RealCall call;
    void* const block = real().memalign(alignment, bytes);
    recordAllocation(call, block, bytes, HIGHWATER_CALLER());
    return block;
}

HIGHWATER_HOOK void* valloc(std::size_t bytes) {
    RealCall call;
    void* const block = real().valloc(bytes);
    recordAllocation(call, block, bytes, HIGHWATER_CALLER());
    return block;
}

HIGHWATER_HOOK void* pvalloc(std::size_t bytes) {
    RealCall call;
    void* const block = real().pvalloc(bytes);
    recordAllocation(call, block, bytes, HIGHWATER_CALLER());
    return block;
}

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
                          HIGHWATER_HOOK_ROW(posix_memalign, &realFunctions.posix_memalign),
                          HIGHWATER_HOOK_ROW(aligned_alloc, &realFunctions.aligned_alloc),
                          HIGHWATER_HOOK_ROW(memalign, &realFunctions.memalign),
                          HIGHWATER_HOOK_ROW(valloc, &realFunctions.valloc),
                          HIGHWATER_HOOK_ROW(pvalloc, &realFunctions.pvalloc),
                          {}};

} // namespace highwater::agent
