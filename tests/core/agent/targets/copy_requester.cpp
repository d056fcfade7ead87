// Copies a running process until it is killed: copy_requester PID. Prints a line before each copy.
#include "core/source/contract/process_copy.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

int main(int count, char** arguments) {
    if (count != 2) return 2;
    const auto pid = static_cast<std::uint32_t>(std::strtoul(arguments[1], nullptr, 10));
    while (true) {
        std::puts("copies");
        std::fflush(stdout);
        const auto copy = highwater::source::copyProcess(pid, nullptr);
        if (!copy.hasValue()) std::fprintf(stderr, "%s\n", copy.error().message.c_str());
    }
}
