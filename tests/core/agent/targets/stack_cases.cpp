#include "tests/core/agent/targets/agent_target.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

// Not static, and the program exports its symbols: dladdr finds names and sizes.
#define NAMED extern "C" __attribute__((noinline, used))

namespace {

std::size_t expectedFrames;

/// "frame NAME begin size": the functions that a stack must show, innermost first.
template <typename Function>
void expectFrame(const char* name, Function* function) {
    Dl_info facts{};
    ElfW(Sym)* symbol = nullptr;
    void* extra = nullptr;
    if (dladdr1(reinterpret_cast<void*>(function), &facts, &extra, RTLD_DL_SYMENT) == 0) fail("dladdr");
    symbol = static_cast<ElfW(Sym)*>(extra);
    char text[64];
    std::snprintf(text, sizeof text, "frame %s", name);
    expect(text, reinterpret_cast<void*>(function), symbol->st_size);
    ++expectedFrames;
}

void keep(void* block) { asm volatile("" ::"r"(block) : "memory"); }

} // namespace

NAMED void innerFunction(std::size_t bytes) {
    keep(std::malloc(bytes));
    asm volatile("");
}
NAMED void middleFunction(std::size_t bytes) {
    char space[3000]; // a large frame
    keep(space);
    innerFunction(bytes);
    asm volatile("");
}
NAMED void outerFunction(std::size_t bytes) {
    middleFunction(bytes);
    asm volatile("");
}

/// A frame that the compiler can find only through a register, because its size is known at run time.
NAMED void growingFunction(std::size_t bytes) {
    auto* space = static_cast<char*>(__builtin_alloca(bytes % 512 + 64));
    keep(space);
    innerFunction(bytes);
    asm volatile("");
}
/// Aligns its stack beyond the ABI's alignment and grows it; its frame address is stored in memory.
NAMED void alignedFunction(std::size_t bytes) {
    alignas(128) char wide[256];
    auto* space = static_cast<char*>(__builtin_alloca(bytes % 512 + 64));
    keep(wide);
    keep(space);
    innerFunction(bytes);
    asm volatile("");
}
NAMED void deepFunction(std::size_t bytes, int depth) {
    if (depth == 0)
        innerFunction(bytes);
    else
        deepFunction(bytes, depth - 1);
    asm volatile("");
}
NAMED void handlerFunction(int) { innerFunction(6001); }
NAMED void interruptedFunction() {
    raise(SIGUSR1);
    asm volatile("");
}

int runStacks(int) {
    outerFunction(5001);
    outerFunction(5001); // the second walk finds it unchanged
    middleFunction(5002);
    growingFunction(5003);
    growingFunction(5004);
    alignedFunction(5005);
    alignedFunction(5006);
    deepFunction(5007, 20);
    deepFunction(5008, 1000);
    deepFunction(5007, 20);
    expectFrame("innerFunction", innerFunction);
    expectFrame("middleFunction", middleFunction);
    expectFrame("outerFunction", outerFunction);
    expectFrame("growingFunction", growingFunction);
    expectFrame("alignedFunction", alignedFunction);
    expectFrame("deepFunction", deepFunction);
    expectFrame("runStacks", runStacks);
    printExpected();
    return 0;
}

namespace {

/// Code as a runtime would generate it: without unwind tables.
class GeneratedCode {
  public:
    using Function = void (*)(std::size_t);

    GeneratedCode()
        : at_(static_cast<unsigned char*>(
              mmap(nullptr, kBytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {}
    /// Calls another function with its own argument and keeps frame pointers.
    Function caller(const char* name, Function callee) {
        return make(name, "\x55\x48\x89\xe5", 4, callee, "\x5d\xc3", 2); // push rbp; mov rbp, rsp | pop rbp; ret
    }
    /// The same with a frame of two words and no frame pointer: sub rsp, 8 | add rsp, 8; ret.
    Function thin(const char* name, Function callee) {
        return make(name, "\x48\x83\xec\x08", 4, callee, "\x48\x83\xc4\x08\xc3", 5);
    }
    /// The same, but rbp is used for something else: it points to a pair of numbers on the stack.
    Function bent(const char* name, Function callee) {
        return make(name, "\x55\x68\x78\x56\x34\x12\x6a\x00\x48\x89\xe5", 11, callee, "\x90\x48\x83\xc4\x10\x5d\xc3",
                    7);
    }

  private:
    static constexpr std::size_t kBytes = 4096;
    Function make(const char* name, const char* before, std::size_t beforeBytes, Function callee, const char* behind,
                  std::size_t behindBytes) {
        unsigned char* const begin = at_;
        put(before, beforeBytes);
        put("\x48\xb8", 2); // mov rax, callee; call rax
        put(&callee, sizeof callee);
        put("\xff\xd0", 2);
        put(behind, behindBytes);
        char text[64];
        std::snprintf(text, sizeof text, "frame %s", name);
        expect(text, begin, static_cast<std::size_t>(at_ - begin));
        return reinterpret_cast<Function>(begin);
    }
    void put(const void* bytes, std::size_t count) {
        __builtin_memcpy(at_, bytes, count);
        at_ += count;
    }
    unsigned char* at_;
};
GeneratedCode::Function generated;

} // namespace

NAMED void betweenFunction(std::size_t bytes) {
    generated(bytes);
    asm volatile("");
}

/// Generated code between native code: two generated functions, a native one, and one more. Then code that does not
/// keep a frame pointer, twice: no unwinder can continue there.
int runGenerated(int) {
    GeneratedCode code;
    generated = code.caller("generatedInner", innerFunction);
    const auto middle = code.caller("generatedMiddle", betweenFunction);
    const auto outer = code.caller("generatedOuter", middle);
    const auto thin = code.thin("generatedThin", innerFunction);
    const auto bent = code.bent("generatedBent", innerFunction);
    outer(7001);
    outer(7001);
    outer(7002);
    bent(7003);
    bent(7003);
    thin(7004);
    thin(7004);
    expectFrame("innerFunction", innerFunction);
    expectFrame("betweenFunction", betweenFunction);
    expectFrame("runGenerated", runGenerated);
    printExpected();
    return 0;
}

/// A handler that allocates, on the stack of the thread and on one of its own.
int runSignals(int ownStack) {
    static char stack[1 << 16];
    stack_t signalStack{};
    signalStack.ss_sp = stack;
    signalStack.ss_size = sizeof stack;
    if (ownStack != 0) sigaltstack(&signalStack, nullptr);
    struct sigaction action {};
    action.sa_handler = handlerFunction;
    action.sa_flags = ownStack != 0 ? SA_ONSTACK : 0;
    sigaction(SIGUSR1, &action, nullptr);
    for (int i = 0; i < 10; ++i)
        interruptedFunction();
    expectFrame("innerFunction", innerFunction);
    expectFrame("handlerFunction", handlerFunction);
    expectFrame("interruptedFunction", interruptedFunction);
    expectFrame("runSignals", runSignals);
    printExpected();
    return 0;
}

namespace {

volatile std::sig_atomic_t handled;
void mapInHandler(int) {
    void* page = mmap(nullptr, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(page, 8192);
    handled = handled + 1;
}

} // namespace

/// A handler that maps pages (which handlers may do) interrupts a loop that does the same, N times.
int runNested(int count) {
    struct sigaction action {};
    action.sa_handler = mapInHandler;
    sigaction(SIGALRM, &action, nullptr);
    itimerval every{{0, 200}, {0, 200}};
    setitimer(ITIMER_REAL, &every, nullptr);
    std::size_t mapped = 0;
    while (handled < count) {
        void* page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        munmap(page, 4096);
        ++mapped;
    }
    every = {};
    setitimer(ITIMER_REAL, &every, nullptr);
    expect("calls", nullptr, 2 * (mapped + static_cast<std::size_t>(handled)));
    printExpected();
    return 0;
}

/// Loads the plugin beside this program, allocates through it and unloads it, twice.
int runPlugin(int) {
    char path[4096];
    const ssize_t bytes = readlink("/proc/self/exe", path, sizeof path - 64);
    if (bytes < 0) return 65;
    path[bytes] = 0;
    for (char* end = path + bytes; end > path && *end != '/'; --end)
        *end = 0;
    std::snprintf(path + __builtin_strlen(path), 64, "agent_plugin.so");
    for (int i = 0; i < 2; ++i) {
        void* const plugin = dlopen(path, RTLD_NOW);
        if (plugin == nullptr) fail(dlerror());
        auto* const allocate = reinterpret_cast<void* (*)(std::size_t)>(dlsym(plugin, "allocateInPlugin"));
        std::free(allocate(6100 + static_cast<std::size_t>(i)));
        dlclose(plugin);
    }
    return 0;
}

namespace {

constexpr std::size_t kFirstSize = 100'000;
std::size_t walks;

/// Allocates, and has libc's own unwinder find the callers: "walk SIZE", then a line for each caller.
__attribute__((noinline)) void compareHere() {
    void* frames[256];
    const std::size_t bytes = kFirstSize + walks++;
    void* volatile block = std::malloc(bytes);
    const int count = backtrace(frames, 256);
    std::free(block);
    expect("walk", nullptr, bytes);
    for (int i = 1; i < count; ++i)
        expect("caller", frames[i], 0);
}

using Wander = void (*)(unsigned, int);
extern const Wander kWanders[6];

void wanderOn(unsigned path, int depth) {
    if (depth == 0)
        compareHere();
    else
        kWanders[path % 6](path * 1664525u + 1013904223u + static_cast<unsigned>(depth), depth - 1);
    asm volatile("");
}

template <int Kind>
__attribute__((noinline)) void wander(unsigned path, int depth) {
    if constexpr (Kind == 0) {
        wanderOn(path >> 8, depth);
    } else if constexpr (Kind == 1) { // registers that are kept for the caller
        const unsigned a = path * 3, b = path * 5, c = path * 7, d = path * 11, e = path * 13;
        wanderOn(path >> 8, depth);
        asm volatile("" ::"r"(a), "r"(b), "r"(c), "r"(d), "r"(e));
    } else if constexpr (Kind == 2) {
        auto* space = static_cast<char*>(__builtin_alloca(path % 1000 + 16));
        keep(space);
        wanderOn(path >> 8, depth);
    } else if constexpr (Kind == 3) {
        alignas(64) char wide[192];
        auto* space = static_cast<char*>(__builtin_alloca(path % 300 + 16));
        keep(wide);
        keep(space);
        wanderOn(path >> 8, depth);
    } else if constexpr (Kind == 4) {
        char large[20'000];
        keep(large);
        wanderOn(path >> 8, depth);
    } else { // called by libc
        const unsigned both[2]{path >> 8, static_cast<unsigned>(depth)};
        const auto onward = [](const void* key, const void*) {
            const auto* values = static_cast<const unsigned*>(key);
            wanderOn(values[0], static_cast<int>(values[1]));
            return 0;
        };
        const char one = 0;
        keep(std::bsearch(both, &one, 1, 1, onward));
    }
    asm volatile("");
}
const Wander kWanders[6] = {wander<0>, wander<1>, wander<2>, wander<3>, wander<4>, wander<5>};

} // namespace

/// N ways through functions of all kinds; two walks of each, so that the second finds a known stack.
int runBacktrace(int count) {
    void* first[4];
    backtrace(first, 4); // loads the libraries that it needs
    unsigned seed = 1;
    for (int i = 0; i < count; ++i) {
        seed = seed * 1103515245u + 12345u;
        wanderOn(seed >> 4, static_cast<int>(seed >> 16) % 30);
        wanderOn(seed >> 4, static_cast<int>(seed >> 16) % 30 + i % 2);
    }
    printExpected();
    return 0;
}
