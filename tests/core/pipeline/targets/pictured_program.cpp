// Plants blocks of known reachability, each kind with a size of its own, 20 of each; then waits until it is killed.
// argv[1]: a file that it creates when all are planted. argv[2]: the library pictured_loaded.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <list>
#include <map>
#include <memory>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <unordered_map>
#include <vector>

extern "C" char _end[]; // of the data of the program, set by the linker
extern "C" void plantLinked(int index, void* block); // of a library that the program is linked to

namespace {

constexpr int kEach = 20;

struct Link {
    Link* next;
    char rest[1];
};

struct Shared {
    std::shared_ptr<Shared> other;
    char rest[2000];
};

void* g_array[kEach];
char* g_inner[kEach];
char* g_behind[kEach];
Link* g_chain;
std::vector<void*> g_vector;
std::list<void*> g_list;
std::map<int, void*> g_map;
std::unordered_map<int, void*> g_unordered;
thread_local void* t_own[kEach];
void* g_forgotten[kEach];
void (*g_plantLoaded)(int index, void* block); // of a library that the program loads later

char* block(std::size_t bytes) {
    auto* memory = static_cast<char*>(std::malloc(bytes));
    std::memset(memory, 0, bytes);
    return memory;
}

/// The compiler must write the variable, although nobody reads it.
template <typename T>
void keep(T& variable) {
    asm volatile("" ::"r"(&variable) : "memory");
}

/// Overwrites what earlier calls have left on the stack.
__attribute__((noinline)) void clearStack() {
    volatile char room[16 * 1024];
    for (auto& byte : room)
        byte = 0;
}

/// Memory that the program has mapped itself, directly above its data. The system makes both one mapping. One page,
/// because the heap begins at a random distance.
__attribute__((noinline)) void plantAboveData() {
    constexpr std::size_t kPage = 4096;
    const auto above = (reinterpret_cast<std::size_t>(_end) + kPage - 1) / kPage * kPage;
    auto* const mapped = mmap(reinterpret_cast<void*>(above), kPage, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (mapped != reinterpret_cast<void*>(above)) std::abort();
    auto** const words = static_cast<void**>(mapped);
    for (int i = 0; i < kEach; ++i)
        words[i] = block(1114);
}

char* mapped(std::size_t bytes) {
    return static_cast<char*>(
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
}

/// In 4 GB, of which few pages are touched.
__attribute__((noinline)) void plantFarApart() {
    constexpr std::size_t kBytes = std::size_t{4} << 30;
    auto* const memory = mapped(kBytes);
    for (int i = 0; i < kEach; ++i)
        *reinterpret_cast<void**>(memory + kBytes / kEach / 64 * 64 * static_cast<std::size_t>(i)) = block(1115);
}

/// In memory that a copy of the process does not get.
__attribute__((noinline)) void plantExcluded() {
    constexpr std::size_t kBytes = 1 << 20;
    auto* const memory = mapped(kBytes);
    if (madvise(memory, kBytes, MADV_DONTFORK) != 0) std::abort();
    *reinterpret_cast<void**>(memory) = block(1209);
}

__attribute__((noinline)) void plantReachable() {
    static void* s_local[kEach];
    for (int i = 0; i < kEach; ++i) {
        g_array[i] = block(1101);
        s_local[i] = block(1102);
        t_own[i] = block(1103);
        g_vector.push_back(block(1107));
        g_list.push_back(block(1108));
        g_map[i] = block(1109);
        g_unordered[i] = block(1110);
        g_inner[i] = block(1111) + 700;
        plantLinked(i, block(1116));
        g_plantLoaded(i, block(1118));
        auto* link = reinterpret_cast<Link*>(block(1112));
        link->next = g_chain;
        g_chain = link;
    }
    keep(s_local), keep(g_array), keep(g_inner), keep(t_own);
}

__attribute__((noinline)) void plantLeaks() {
    for (int i = 0; i < kEach; ++i) {
        block(1201);
        auto* owner = reinterpret_cast<void**>(block(1202)); // unreachable, with one that only it refers to
        *owner = block(1203);
        auto* first = reinterpret_cast<void**>(block(1204)); // a cycle
        auto* second = reinterpret_cast<void**>(block(1204));
        *first = second, *second = first;
        auto* self = reinterpret_cast<void**>(block(1205));
        *self = self;
        g_behind[i] = block(1206) + 1206; // one past the end is no reference to it
        g_forgotten[i] = block(1207);
        Link* chain = nullptr;
        for (int k = 0; k < 5; ++k) {
            auto* link = reinterpret_cast<Link*>(block(1208));
            link->next = chain;
            chain = link;
        }
        const auto a = std::make_shared<Shared>(), b = std::make_shared<Shared>();
        a->other = b, b->other = a;
    }
    std::memset(g_forgotten, 0, sizeof g_forgotten);
    keep(g_forgotten), keep(g_behind);
}

/// A thread with blocks on its stack and in its thread-local data.
void* ownStack(void* isThere) {
    void* onStack[kEach];
    for (int i = 0; i < kEach; ++i) {
        onStack[i] = block(1104);
        t_own[i] = block(1105);
        plantLinked(i, block(1117));
        g_plantLoaded(i, block(1119));
    }
    keep(onStack), keep(t_own);
    __atomic_add_fetch(static_cast<int*>(isThere), 1, __ATOMIC_SEQ_CST);
    for (;;) {
        keep(onStack);
        pause();
    }
}

/// A thread with a block in a register only.
void* ownRegister(void* isThere) {
    auto* memory = block(1113);
    std::memset(memory, 0, 1113);
    asm volatile("mov %0, %%r13\n\t"
                 "xor %0, %0\n\t"
                 "lock incl (%1)\n\t"
                 "1: mov $34, %%eax\n\t" // pause()
                 "syscall\n\t"
                 "jmp 1b"
                 : "+r"(memory)
                 : "r"(isThere)
                 : "rax", "rcx", "r11", "r13", "memory");
    return nullptr;
}

/// A thread that ends, with blocks on its stack and in all of its thread-local data.
void* ending(void*) {
    void* onStack[kEach];
    for (int i = 0; i < kEach; ++i) {
        onStack[i] = block(1210);
        t_own[i] = block(1211);
        plantLinked(i, block(1212));
        g_plantLoaded(i, block(1213));
    }
    keep(onStack), keep(t_own);
    return nullptr;
}

void runAndEnd() {
    pthread_t thread;
    pthread_create(&thread, nullptr, ending, nullptr);
    pthread_join(thread, nullptr);
}

void start(void* (*run)(void*), int& there, int expected) {
    pthread_t thread;
    pthread_create(&thread, nullptr, run, &there);
    while (__atomic_load_n(&there, __ATOMIC_SEQ_CST) < expected)
        usleep(1000);
}

} // namespace

int main(int argc, char** argv) {
    static int there = 0;
    auto* const library = argc > 2 ? dlopen(argv[2], RTLD_NOW) : nullptr;
    if (library == nullptr) return 1;
    g_plantLoaded = reinterpret_cast<void (*)(int, void*)>(dlsym(library, "plantLoaded"));
    start(ownStack, there, 1);
    start(ownRegister, there, 2);
    plantReachable();
    plantAboveData();
    plantFarApart();
    plantExcluded();
    plantLeaks();
    runAndEnd();
    clearStack();
    if (argc > 1) std::fclose(std::fopen(argv[1], "w"));
    clearStack();
    for (;;)
        pause();
}
