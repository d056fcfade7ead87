// A program whose own malloc counts calls and forwards them to the C library's.
#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void __libc_free(void*);

static std::size_t calls;
void* malloc(std::size_t bytes) {
    ++calls;
    return __libc_malloc(bytes);
}
void free(void* block) { __libc_free(block); }
void* calloc(std::size_t count, std::size_t bytes) { return __libc_calloc(count, bytes); }
void* realloc(void* block, std::size_t bytes) { return __libc_realloc(block, bytes); }
}

int main() {
    static void* kept[1000];
    for (auto& block : kept)
        block = malloc(4100);
    for (int i = 0; i < 500; ++i)
        free(kept[i]);
    kept[999] = realloc(kept[999], 8192);
    std::printf("%d\n", calls >= 1000 && kept[999] != nullptr);
    return 0;
}
