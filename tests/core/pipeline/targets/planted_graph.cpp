// Plants a random graph of blocks, each with a size of its own, and writes its truth, which it computes from the
// numbers of the blocks alone. argv: SEED FILE. FILE gets a line "SIZE CLASS" a block; CLASS is 'r' reachable, 'p'
// possibly, 'l' lost. Then the program waits until it is killed; built with LeakSanitizer, it prints the report of
// that, and ends.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <pthread.h>
#include <random>
#include <set>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

extern "C" int __lsan_do_recoverable_leak_check() __attribute__((weak));

namespace {

constexpr std::uint32_t kBlocks = 1500, kMostEdges = 3, kEachRoot = 6;

struct Edge {
    std::uint32_t to = 0;
    std::uint32_t offset = 0; ///< of the pointer from the start of the block
};
using Edges = std::vector<Edge>;

/// Where the program has its pointers. Each has kEachRoot of them.
enum Root {
    Global,
    StaticLocal,
    ThreadLocal,
    OtherStack,
    OtherThreadLocal,
    Vector,
    List,
    Map,
    Unordered,
    Set,
    Function,
    Shared,
    String,
    Inner,
    Tagged,
    Count
};

char* g_global[kEachRoot];
char* g_inner[kEachRoot];
std::uintptr_t g_tagged[kEachRoot];
thread_local char* t_own[kEachRoot];
std::vector<char*> g_vector;
std::list<char*> g_list;
std::map<int, char*> g_map;
std::unordered_map<int, char*> g_unordered;
std::set<char*> g_set;
std::vector<std::function<void()>> g_functions;
std::vector<std::shared_ptr<char*>> g_shared;
std::map<std::string, std::vector<char*>> g_strings;

constexpr std::size_t sizeOf(std::uint32_t block) { return 517 + std::size_t{16} * block; }

template <typename T>
void keep(T& variable) {
    asm volatile("" ::"r"(&variable) : "memory");
}

/// Overwrites what earlier calls have left on the stack.
__attribute__((noinline)) void clearStack() {
    volatile char room[64 * 1024];
    for (auto& byte : room)
        byte = 0;
}
/// The same for registers that calls do not change.
__attribute__((noinline)) void clearRegisters() {
    asm volatile(
        "xor %%ebx, %%ebx\n\txor %%r12d, %%r12d\n\txor %%r13d, %%r13d\n\txor %%r14d, %%r14d\n\txor %%r15d, %%r15d" ::
            : "rbx", "r12", "r13", "r14", "r15");
}

class Graph {
  public:
    explicit Graph(unsigned seed) : random_(seed) {
        for (auto& edges : edges_)
            for (auto count = below(10) < 6 ? below(kMostEdges) + 1 : 0; count > 0; --count)
                edges.push_back({below(kBlocks), below(5) == 0 ? 8 + below(300) : 0});
        for (auto& root : roots_)
            for (auto& block : root)
                block = below(kBlocks);
    }
    [[nodiscard]] const Edges& edgesOf(std::uint32_t block) const { return edges_[block]; }
    [[nodiscard]] std::uint32_t root(int kind, std::uint32_t number) const { return roots_[kind][number]; }

    [[nodiscard]] std::string classes() const {
        std::string classes(kBlocks, 'l');
        for (int kind = 0; kind < Count; ++kind)
            for (const auto block : roots_[kind])
                if (kind != Inner && kind != Tagged) spread(classes, {block}, 'r');
        for (const auto kind : {Inner, Tagged})
            for (const auto block : roots_[kind])
                spread(classes, {block}, 'p');
        for (std::uint32_t block = 0; block < kBlocks; ++block)
            if (classes[block] == 'r')
                for (const auto& edge : edges_[block])
                    spread(classes, {edge.to}, 'p');
        return classes;
    }

  private:
    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

    void spread(std::string& classes, std::vector<std::uint32_t> waiting, char to) const {
        while (!waiting.empty()) {
            const auto block = waiting.back();
            waiting.pop_back();
            if (classes[block] != 'l') continue;
            classes[block] = to;
            for (const auto& edge : edges_[block])
                if (to == 'p' || edge.offset == 0) waiting.push_back(edge.to);
        }
    }

    std::mt19937 random_;
    std::array<Edges, kBlocks> edges_;
    std::array<std::array<std::uint32_t, kEachRoot>, Count> roots_{};
};

char** g_blocks; ///< outside of all searched memory when the program waits

__attribute__((noinline)) void plantBlocks(const Graph& graph) {
    constexpr auto kBytes = kBlocks * sizeof(char*);
    g_blocks = static_cast<char**>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    for (std::uint32_t i = 0; i < kBlocks; ++i)
        g_blocks[i] = static_cast<char*>(std::calloc(1, sizeOf(i)));
    for (std::uint32_t i = 0; i < kBlocks; ++i) {
        auto* word = reinterpret_cast<char**>(g_blocks[i]);
        for (const auto& edge : graph.edgesOf(i))
            *(word += 3) = g_blocks[edge.to] + edge.offset;
    }
}

__attribute__((noinline)) void plantRoots(const Graph& graph) {
    static char* s_local[kEachRoot];
    for (std::uint32_t i = 0; i < kEachRoot; ++i) {
        const auto block = [&](Root kind) { return g_blocks[graph.root(kind, i)]; };
        g_global[i] = block(Global);
        s_local[i] = block(StaticLocal);
        t_own[i] = block(ThreadLocal);
        g_vector.push_back(block(Vector));
        g_list.push_back(block(List));
        g_map[static_cast<int>(i)] = block(Map);
        g_unordered[static_cast<int>(i)] = block(Unordered);
        g_set.insert(block(Set));
        g_functions.emplace_back([held = block(Function), more = std::array<int, 8>{}] { keep(held), keep(more); });
        g_shared.push_back(std::make_shared<char*>(block(Shared)));
        g_strings["a key that is longer than the buffer of a string " + std::to_string(i % 3)].push_back(block(String));
        g_inner[i] = block(Inner) + 8 + 40 * i;
        g_tagged[i] = reinterpret_cast<std::uintptr_t>(block(Tagged)) | (i % 7 + 1);
    }
    keep(s_local), keep(g_global), keep(g_inner), keep(g_tagged), keep(t_own);
}

struct Started {
    const Graph& graph;
    int isThere = 0;
};

__attribute__((noinline)) void takeBlocks(const Graph& graph, char** onStack) {
    for (std::uint32_t i = 0; i < kEachRoot; ++i) {
        onStack[i] = g_blocks[graph.root(OtherStack, i)];
        t_own[i] = g_blocks[graph.root(OtherThreadLocal, i)];
    }
    keep(t_own);
}

void* otherThread(void* argument) {
    auto* const started = static_cast<Started*>(argument);
    char* onStack[kEachRoot];
    takeBlocks(started->graph, onStack);
    keep(onStack);
    clearStack();
    clearRegisters();
    __atomic_store_n(&started->isThere, 1, __ATOMIC_SEQ_CST);
    for (;;) {
        pause();
        keep(onStack);
    }
}

__attribute__((noinline)) void plant(const Graph& graph) {
    plantBlocks(graph);
    plantRoots(graph);
    static Started started{graph};
    pthread_t thread;
    pthread_create(&thread, nullptr, otherThread, &started);
    while (__atomic_load_n(&started.isThere, __ATOMIC_SEQ_CST) == 0)
        usleep(100);
    munmap(g_blocks, kBlocks * sizeof(char*));
    g_blocks = nullptr;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 3) return 2;
    const auto graph = std::make_unique<Graph>(static_cast<unsigned>(std::atoi(arguments[1])));
    plant(*graph);
    const auto classes = graph->classes();
    const auto finalName = std::string(arguments[2]), name = finalName + ".part";
    auto* const file = std::fopen(name.c_str(), "w");
    for (std::uint32_t i = 0; i < kBlocks; ++i)
        std::fprintf(file, "%zu %c\n", sizeOf(i), classes[i]);
    std::fclose(file);
    std::rename(name.c_str(), finalName.c_str());
    clearStack();
    clearRegisters();
    if (__lsan_do_recoverable_leak_check != nullptr) _exit(__lsan_do_recoverable_leak_check() == 0);
    for (;;)
        pause();
}
