#include "core/agent_linux/hooks/real_functions.h"

#include "core/agent_linux/call_sites.h"
#include "core/agent_linux/thread_state.h"

#include <atomic>
#include <cstdint>
#include <dlfcn.h>

namespace highwater::agent {

RealFunctions realFunctions;

namespace {

alignas(16) char arena[32 * 1024];
std::atomic<std::size_t> arenaUsed;

bool isBehind; ///< the agent was loaded after the program

template <typename Function>
void find(Function& function, const char* name) {
    // Reads a function pointer as a data pointer, which POSIX requires to work.
    if (void* found = isBehind ? findAfterProgram(name) : dlsym(RTLD_NEXT, name))
        function = reinterpret_cast<Function>(found);
}

} // namespace

void findRealFunctions() {
    if (threadLocal.isFinding) return;
    threadLocal.isFinding = true;
    isBehind = !isFirstInLine();
    RealFunctions& f = realFunctions;
    find(f.malloc, "malloc");
    find(f.calloc, "calloc");
    find(f.realloc, "realloc");
    find(f.free, "free");
    find(f.posix_memalign, "posix_memalign");
    find(f.aligned_alloc, "aligned_alloc");
    find(f.memalign, "memalign");
    find(f.valloc, "valloc");
    find(f.pvalloc, "pvalloc");
    find(f.libcMalloc, "__libc_malloc");
    find(f.libcCalloc, "__libc_calloc");
    find(f.libcRealloc, "__libc_realloc");
    find(f.libcFree, "__libc_free");
    find(f.libcMemalign, "__libc_memalign");
    find(f.libcValloc, "__libc_valloc");
    find(f.libcPvalloc, "__libc_pvalloc");
    find(f.mmap, "mmap");
    find(f.munmap, "munmap");
    find(f.mremap, "mremap");
    find(f.mprotect, "mprotect");
    find(f.madvise, "madvise");
    find(f.brk, "brk");
    find(f.sbrk, "sbrk");
    find(f.execve, "execve");
    find(f.execvpe, "execvpe");
    find(f.fexecve, "fexecve");
    find(f.execveat, "execveat");
    find(f.posix_spawn, "posix_spawn");
    find(f.posix_spawnp, "posix_spawnp");
    find(f.system, "system");
    find(f.popen, "popen");
    find(f.dlclose, "dlclose"); // last, because real() checks it
    threadLocal.isFinding = false;
}

bool isFindingRealFunctions() { return threadLocal.isFinding; }

void* takeFromArena(std::size_t bytes, std::size_t alignment) {
    // Every block may be rounded up to its alignment. The arena is zeroed and used only once, as calloc requires.
    const std::size_t room = bytes + alignment;
    if (bytes > sizeof arena || alignment > 4096) return nullptr;
    const std::size_t at = arenaUsed.fetch_add((room + 15) & ~std::size_t{15}, std::memory_order_relaxed);
    if (at + room > sizeof arena) return nullptr;
    const auto address = (reinterpret_cast<std::uintptr_t>(arena + at) + alignment - 1) & ~(alignment - 1);
    return reinterpret_cast<void*>(address);
}

bool isInArena(const void* block) { return block >= arena && block < arena + sizeof arena; }

std::size_t arenaBytesBehind(const void* block) {
    return static_cast<std::size_t>(arena + sizeof arena - static_cast<const char*>(block));
}

} // namespace highwater::agent
