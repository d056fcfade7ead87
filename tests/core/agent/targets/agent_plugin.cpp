#include <cstddef>
#include <cstdlib>

thread_local int used = 1; // a library with thread-local data of its own

extern "C" void* allocateInPlugin(std::size_t bytes) {
    used = used + 1;
    void* volatile block = std::malloc(bytes);
    return block;
}
