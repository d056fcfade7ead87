// A program whose memory changes on request, for resident_changes_test:
//
//   changing_target GATE exit|execute|remap|wait
//
// It maps the markers that are described in changing_target.h, opens the named pipe GATE, changes as soon as a byte
// arrives, and ends with kExitCode.
#include "tests/kills/changing_target.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <random>
#include <string_view>
#include <unistd.h>

namespace {

using namespace highwater::tests;

constexpr int kProtection = PROT_READ | PROT_WRITE;
constexpr int kPrivate = MAP_PRIVATE | MAP_ANONYMOUS;

char* at(std::uint64_t address) { return reinterpret_cast<char*>(address); }

void touch(char* memory, std::size_t pages) {
    for (std::size_t page = 0; page < pages; ++page)
        static_cast<volatile char*>(memory)[page * kPageBytes] = 1;
}

void mapMarkers(std::uint64_t begin) {
    for (std::size_t i = 0; i < kMarkers; ++i) {
        char* const marker = at(begin + i * kMarkerStep);
        if (mmap(marker, kMarkerStep, PROT_NONE, kPrivate | MAP_FIXED_NOREPLACE, -1, 0) != marker) std::abort();
        mprotect(marker, kMarkerBytes, kProtection);
        touch(marker, kMarkerResidentPages);
    }
}

void fillHeap() {
    for (int i = 0; i < 20'000; ++i)
        *static_cast<volatile char*>(std::malloc(16 + i % 900)) = 1;
}

bool isOpen(int gate) {
    pollfd wait{gate, POLLIN, 0};
    return poll(&wait, 1, 0) == 0;
}

void waitFor(int gate) {
    char byte = 0;
    while (read(gate, &byte, 1) < 0)
        ;
}

/// Mappings appear, grow together, are divided, move and disappear between both groups of markers.
void remapUntilClosed(int gate) {
    std::mt19937 random(static_cast<unsigned>(getpid()));
    const auto begin = kChanging;
    while (isOpen(gate)) {
        const std::size_t pages = random() % (random() % 16 == 0 ? 2000 : 8) + 1; // areas of all sizes
        const std::size_t first = random() % (kChangingPages - pages);
        char* const place = at(begin + first * kPageBytes);
        const auto bytes = pages * kPageBytes;
        switch (random() % 6) {
        case 0:
            munmap(place, bytes);
            break;
        case 1:
            mprotect(place, bytes, PROT_READ);
            break;
        case 2:
            mprotect(place, bytes, kProtection);
            break;
        case 3:
            mremap(place, kPageBytes, bytes, MREMAP_MAYMOVE);
            break;
        default:
            if (mmap(place, bytes, kProtection, kPrivate | MAP_FIXED, -1, 0) == place) touch(place, pages);
        }
    }
}

/// Without the markers.
[[noreturn]] void execute(char* program) {
    char* const arguments[] = {program, nullptr};
    execv("/proc/self/exe", arguments);
    std::abort();
}

} // namespace

int main(int count, char** arguments) {
    if (count < 2) { // after execute()
        usleep(20'000);
        return kExitCode;
    }
    if (count < 3) return 64;
    const std::string_view change = arguments[2];
    mapMarkers(kLowMarkers);
    mapMarkers(kHighMarkers);
    fillHeap();
    const int gate = open(arguments[1], O_RDONLY | O_CLOEXEC);
    waitFor(gate);
    if (change == "execute") execute(arguments[0]);
    if (change == "remap") remapUntilClosed(gate);
    if (change == "wait") pause();
    return kExitCode;
}
