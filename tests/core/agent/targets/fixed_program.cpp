// A program at a fixed address whose parts are not adjacent: farFunction is a megabyte behind the rest.
#include <cstdio>
#include <cstdlib>

extern "C" __attribute__((noinline, used, section("highwater_far"))) void farFunction(std::size_t bytes) {
    void* volatile block = std::malloc(bytes);
    static_cast<void>(block);
    asm volatile("");
}

int main() {
    farFunction(8001);
    std::printf("far %p main %p\n", reinterpret_cast<void*>(&farFunction), reinterpret_cast<void*>(&main));
    return 0;
}
