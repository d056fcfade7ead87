#include "core/agent_linux/call_sites.h"
#include "core/agent_linux/hooks/real_functions.h"
#include "core/agent_linux/mapped_chunks.h"
#include "core/agent_linux/record_writer.h"
#include "core/agent_linux/recording.h"
#include "core/agent_linux/system_calls.h"
#include "core/agent_linux/thread_recorder.h"

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

// The program's own requests for pages. Mappings of libc itself (heaps, thread stacks, modules) do not pass through
// here. The end of pages is recorded before the call that unmaps them, and their start after the call that maps them;
// failed calls are not recorded.

#define HIGHWATER_HOOK extern "C" __attribute__((visibility("default"), noinline))

using namespace highwater::agent;

namespace {

std::uint64_t addressOf(const void* page) { return reinterpret_cast<std::uint64_t>(page); }

/// Whether a call is to be recorded: made by the program itself, not by an allocator on its behalf.
bool isWanted(std::uint64_t hookFrame) { return !RealCall::isUnderWay(hookFrame) && isRecordingVirtualMemory(); }

void* mapRecorded(void* wanted, std::size_t bytes, int protection, int flags, int file, off_t offset,
                  const Caller& caller) {
    void* const pages = real().mmap(wanted, bytes, protection, flags, file, offset);
    if (pages == MAP_FAILED || !isWanted(hookFrameOf(caller))) return pages;
    RecordWriter writer;
    if (!writer.isOpen()) return pages;
    const std::uint64_t stack = writer.stack(caller);
    writer.write(RecordOp::Map,
                 {addressOf(pages), bytes,
                  static_cast<std::uint32_t>(protection) | std::uint64_t{static_cast<std::uint32_t>(flags)} << 32,
                  stack});
    return pages;
}

void recordBreak(const void* before, const void* after, const Caller& caller) {
    RecordWriter writer;
    if (!writer.isOpen()) return;
    const std::uint64_t stack = writer.stack(caller);
    writer.write(RecordOp::Break, {addressOf(after), addressOf(before), stack});
}

} // namespace

HIGHWATER_HOOK void* mmap(void* wanted, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
    return mapRecorded(wanted, bytes, protection, flags, file, offset, HIGHWATER_CALLER());
}

HIGHWATER_HOOK void* mmap64(void* wanted, std::size_t bytes, int protection, int flags, int file,
                            off64_t offset) noexcept {
    return mapRecorded(wanted, bytes, protection, flags, file, offset, HIGHWATER_CALLER());
}

HIGHWATER_HOOK int munmap(void* pages, std::size_t bytes) noexcept {
    if (!isWanted(HIGHWATER_HOOK_FRAME())) return real().munmap(pages, bytes);
    RecordWriter writer;
    // The stack is walked first, because the call may move its pages, and the record needs the time before the call.
    const std::uint64_t stack = writer.isOpen() ? writer.stack(HIGHWATER_CALLER()) : 0;
    const int result = real().munmap(pages, bytes);
    if (result == 0 && writer.isOpen()) writer.write(RecordOp::Unmap, {addressOf(pages), bytes, stack});
    return result;
}

HIGHWATER_HOOK void* mremap(void* pages, std::size_t bytes, std::size_t newBytes, int flags, ...) noexcept {
    void* wanted = nullptr;
    if ((flags & MREMAP_FIXED) != 0) {
        va_list rest;
        va_start(rest, flags);
        wanted = va_arg(rest, void*);
        va_end(rest);
    }
    if (!isWanted(HIGHWATER_HOOK_FRAME())) return real().mremap(pages, bytes, newBytes, flags, wanted);
    RecordWriter writer;
    const std::uint64_t before = writer.tick();
    void* const moved = real().mremap(pages, bytes, newBytes, flags, wanted);
    if (moved == MAP_FAILED || !writer.isOpen()) return moved;
    writer.timeAgain();
    const std::uint64_t stack = writer.stack(HIGHWATER_CALLER());
    writer.write(RecordOp::Remap, {addressOf(moved), newBytes, addressOf(pages), bytes, stack, before});
    return moved;
}

HIGHWATER_HOOK int mprotect(void* pages, std::size_t bytes, int protection) noexcept {
    const int result = real().mprotect(pages, bytes, protection);
    if (result != 0 || !isWanted(HIGHWATER_HOOK_FRAME())) return result;
    RecordWriter writer;
    if (!writer.isOpen()) return result;
    const std::uint64_t stack = writer.stack(HIGHWATER_CALLER());
    writer.write(RecordOp::Protect, {addressOf(pages), bytes, static_cast<std::uint32_t>(protection), stack});
    return result;
}

HIGHWATER_HOOK int madvise(void* pages, std::size_t bytes, int advice) noexcept {
    const int result = real().madvise(pages, bytes, advice);
    if (result != 0 || (advice != MADV_DONTNEED && advice != MADV_FREE) || !isWanted(HIGHWATER_HOOK_FRAME()))
        return result;
    RecordWriter writer;
    if (!writer.isOpen()) return result;
    const std::uint64_t stack = writer.stack(HIGHWATER_CALLER());
    writer.write(RecordOp::Advise, {addressOf(pages), bytes, static_cast<std::uint32_t>(advice), stack});
    return result;
}

HIGHWATER_HOOK int brk(void* end) noexcept {
    void* const before = real().sbrk(0);
    const int result = real().brk(end);
    if (result == 0 && isWanted(HIGHWATER_HOOK_FRAME())) recordBreak(before, end, HIGHWATER_CALLER());
    return result;
}

HIGHWATER_HOOK void* sbrk(std::intptr_t change) noexcept {
    void* const before = real().sbrk(change);
    if (change != 0 && before != reinterpret_cast<void*>(-1) && isWanted(HIGHWATER_HOOK_FRAME()))
        recordBreak(before, static_cast<char*>(before) + change, HIGHWATER_CALLER());
    return before;
}

/// Reduces our memory to a minimum and keeps it unlocked, because the limit is the program's. Like libc's function,
/// only a system call.
HIGHWATER_HOOK int mlockall(int flags) noexcept {
    const bool isOurs = isRecording();
    if (isOurs) mappedChunks.unmapIdle();
    const long result = systemCall(SYS_mlockall, flags);
    if (isOurs) mappedChunks.unlock();
    if (result == 0) return 0;
    errno = static_cast<int>(-result);
    return -1;
}

HIGHWATER_OURS(mlockall);
HIGHWATER_OURS(mmap);
HIGHWATER_OURS(mmap64);
HIGHWATER_OURS(munmap);
HIGHWATER_OURS(mremap);
HIGHWATER_OURS(mprotect);
HIGHWATER_OURS(madvise);
HIGHWATER_OURS(brk);
HIGHWATER_OURS(sbrk);

namespace highwater::agent {

const Hook pageHooks[] = {HIGHWATER_HOOK_ROW(mmap, &realFunctions.mmap),
                          HIGHWATER_HOOK_ROW(mmap64, &realFunctions.mmap),
                          HIGHWATER_HOOK_ROW(munmap, &realFunctions.munmap),
                          HIGHWATER_HOOK_ROW(mremap, &realFunctions.mremap),
                          HIGHWATER_HOOK_ROW(mprotect, &realFunctions.mprotect),
                          HIGHWATER_HOOK_ROW(madvise, &realFunctions.madvise),
                          HIGHWATER_HOOK_ROW(brk, &realFunctions.brk),
                          HIGHWATER_HOOK_ROW(sbrk, &realFunctions.sbrk),
                          {"mlockall", reinterpret_cast<void*>(&highwater_mlockall), nullptr},
                          {}};

} // namespace highwater::agent
