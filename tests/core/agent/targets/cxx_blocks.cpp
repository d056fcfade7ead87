// Makes and frees blocks by each form of operator new and delete, and some by malloc, and prints a line with the size
// of each block that the agent should have seen. With the argument "fails", operators throw in between.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <unistd.h>

namespace {

constexpr std::align_val_t kAligned{64};
char text[1 << 16];
std::size_t textBytes;

void* seen(std::size_t bytes, void* block) {
    textBytes +=
        static_cast<std::size_t>(std::snprintf(text + textBytes, sizeof text - textBytes, "%p %zu\n", block, bytes));
    return block;
}

void makeByOperators(std::size_t bytes) {
    ::operator delete(seen(bytes + 1, ::operator new(bytes + 1)));
    ::operator delete[](seen(bytes + 2, ::operator new[](bytes + 2)));
    ::operator delete(seen(bytes + 3, ::operator new(bytes + 3, std::nothrow)), std::nothrow);
    ::operator delete[](seen(bytes + 4, ::operator new[](bytes + 4, std::nothrow)), std::nothrow);
    ::operator delete(seen(bytes + 5 * 64, ::operator new(bytes + 5 * 64, kAligned)), kAligned);
    ::operator delete[](seen(bytes + 6 * 64, ::operator new[](bytes + 6 * 64, kAligned)), kAligned);
    ::operator delete(seen(bytes + 7 * 64, ::operator new(bytes + 7 * 64, kAligned, std::nothrow)), kAligned, std::nothrow);
    ::operator delete[](seen(bytes + 8 * 64, ::operator new[](bytes + 8 * 64, kAligned, std::nothrow)), kAligned, std::nothrow);
    ::operator delete(seen(bytes + 9, ::operator new(bytes + 9)), bytes + 9);
    ::operator delete[](seen(bytes + 10, ::operator new[](bytes + 10)), bytes + 10);
    ::operator delete(seen(bytes + 11 * 64, ::operator new(bytes + 11 * 64, kAligned)), bytes + 11 * 64, kAligned);
    ::operator delete[](seen(bytes + 12 * 64, ::operator new[](bytes + 12 * 64, kAligned)), bytes + 12 * 64, kAligned);
    std::free(seen(bytes + 13, std::malloc(bytes + 13)));
}

/// Leaves the allocator by an exception, again and again: the thread is recorded as before.
void failToMake() {
    try {
        void* volatile block = ::operator new (std::size_t{1} << 62);
        static_cast<void>(block);
    } catch (const std::bad_alloc&) {
    }
}

} // namespace

int main(int count, char**) {
    for (std::size_t round = 0; round < 20; ++round) {
        makeByOperators(20'480 + round * 1024); // libstdc++ rounds aligned ones up
        if (count > 1) failToMake();
    }
    for (std::size_t i = 0; i < 50; ++i)
        seen(70'000 + i, ::operator new(70'000 + i)); // kept
    for (std::size_t at = 0; at < textBytes;)
        at += static_cast<std::size_t>(write(STDOUT_FILENO, text + at, textBytes - at));
    _exit(0);
}
