#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <spawn.h>
#include <sys/types.h>

namespace highwater::agent {

/// The functions that our hooks wrap: those of libc, or of an allocator in the program.
struct RealFunctions {
    void* (*malloc)(std::size_t);
    void* (*calloc)(std::size_t, std::size_t);
    void* (*realloc)(void*, std::size_t);
    void (*free)(void*);
    int (*posix_memalign)(void**, std::size_t, std::size_t);
    void* (*aligned_alloc)(std::size_t, std::size_t);
    void* (*memalign)(std::size_t, std::size_t);
    void* (*valloc)(std::size_t);
    void* (*pvalloc)(std::size_t);
    void* (*libcMalloc)(std::size_t);
    void* (*libcCalloc)(std::size_t, std::size_t);
    void* (*libcRealloc)(void*, std::size_t);
    void (*libcFree)(void*);
    void* (*libcMemalign)(std::size_t, std::size_t);
    void* (*libcValloc)(std::size_t);
    void* (*libcPvalloc)(std::size_t);
    void* (*mmap)(void*, std::size_t, int, int, int, off_t);
    int (*munmap)(void*, std::size_t);
    void* (*mremap)(void*, std::size_t, std::size_t, int, ...);
    int (*mprotect)(void*, std::size_t, int);
    int (*madvise)(void*, std::size_t, int);
    int (*brk)(void*);
    void* (*sbrk)(std::intptr_t);
    int (*execve)(const char*, char* const*, char* const*);
    int (*execvpe)(const char*, char* const*, char* const*);
    int (*fexecve)(int, char* const*, char* const*);
    int (*execveat)(int, const char*, char* const*, char* const*, int);
    int (*posix_spawn)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*,
                       char* const*);
    int (*posix_spawnp)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*,
                        char* const*);
    int (*system)(const char*);
    FILE* (*popen)(const char*, const char*);
    int (*dlclose)(void*);
};

extern RealFunctions realFunctions;

/// Looks them up, in the first hook that is called, on any thread. May be repeated.
void findRealFunctions();
[[nodiscard]] inline const RealFunctions& real() {
    if (realFunctions.dlclose == nullptr) [[unlikely]]
        findRealFunctions();
    return realFunctions;
}

/// During the lookup libc itself may allocate memory. It gets memory from a small arena that is never freed.
[[nodiscard]] bool isFindingRealFunctions();
[[nodiscard]] void* takeFromArena(std::size_t bytes, std::size_t alignment = 16);
[[nodiscard]] bool isInArena(const void* block);
/// The number of bytes after `block` that are certainly in the arena.
[[nodiscard]] std::size_t arenaBytesBehind(const void* block);

} // namespace highwater::agent
