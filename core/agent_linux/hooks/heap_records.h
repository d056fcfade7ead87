#pragma once

#include "core/agent_linux/allocator_modules.h"
#include "core/agent_linux/record_writer.h"
#include "core/agent_linux/recording.h"
#include "core/agent_linux/thread_recorder.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace highwater::agent {

[[nodiscard]] inline std::uint64_t addressOf(const void* block) { return reinterpret_cast<std::uint64_t>(block); }

/// False if an allocator passes the call on to another function of its own or of libc, which would record the same
/// block twice.
[[gnu::noinline]] inline bool isOneOfItsOwn(std::uint64_t before, const Caller& caller) {
    if (isAllocatorCode(caller.returnAddress)) return false;
    if ((before & (kInReal | kInRecord)) == 0) return true;
    countNested();
    return false;
}

inline void recordAllocation(std::uint64_t before, const void* block, std::size_t bytes, const Caller& caller) {
    if (block == nullptr || !isRecordingHeap()) return;
    if (before != 0 && !isOneOfItsOwn(before, caller)) [[unlikely]]
        return;
    RecordWriter writer(RecordWriter::Inside::RealCall);
    if (!writer.isOpen()) return;
    const std::uint64_t stack = writer.stack(caller);
    writer.writeAllocation(addressOf(block), bytes, stack);
}

/// Inlined into free(), the most frequently called function.
[[gnu::always_inline]] inline void recordFree(std::uint64_t before, const void* block, const Caller& caller) {
    if (block == nullptr || !isRecordingHeap()) return;
    if (before != 0 && !isOneOfItsOwn(before, caller)) [[unlikely]]
        return;
    RecordWriter writer(RecordWriter::Inside::RealCall);
    if (!writer.isOpen()) return;
    if ((recording.options & kFreeStacks) == 0) {
        writer.writeFree(addressOf(block));
    } else {
        const std::uint64_t stack = writer.stack(caller);
        writer.write(RecordOp::FreeStack, {addressOf(block), stack});
    }
}

/// The record covers the call: the old block ends before it, and the new one starts after it.
template <typename Call>
void* recordReallocation(const Call& call, void* block, std::size_t bytes, const Caller& caller) {
    RecordWriter writer;
    const std::uint64_t before = writer.tick();
    void* const fresh = call();
    const int error = errno;
    if (!writer.isOpen()) return fresh;
    if (fresh != nullptr) {
        writer.timeAgain();
        const std::uint64_t stack = writer.stack(caller);
        writer.write(RecordOp::Reallocate, {addressOf(fresh), bytes, addressOf(block), stack, before});
    } else if (bytes == 0) { // libc frees the block in this case
        const bool hasStack = (recording.options & kFreeStacks) != 0;
        if (hasStack)
            writer.writeAt(before, RecordOp::FreeStack, {addressOf(block), writer.stack(caller)});
        else
            writer.writeAt(before, RecordOp::Free, {addressOf(block)});
    }
    errno = error;
    return fresh;
}

} // namespace highwater::agent
