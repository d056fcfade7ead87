// A program with a second allocator, under the names that jemalloc has when it is linked into a program.
#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" __attribute__((noinline, visibility("hidden"))) void* je_malloc(std::size_t bytes) {
    static char arena[1 << 22];
    static std::size_t used;
    void* const block = arena + used;
    used += (bytes + 15) & ~std::size_t{15};
    return block;
}

int main() {
    static void* kept[100];
    for (auto& block : kept)
        block = je_malloc(4096);
    void* volatile ordinary = std::malloc(100);
    std::printf("%d\n", kept[7] != nullptr && ordinary != nullptr);
    return 0;
}
