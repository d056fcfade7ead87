#include "core/files/read_faults_linux.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace highwater {
namespace {

/// One watched mapping. The handler reads it at any time and without a lock; therefore `end` is set last and cleared
/// first.
struct WatchedRange {
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<std::uintptr_t> end{0}; ///< 0 if unused
    std::atomic<bool> faulted{false};
};

/// Far more than the number of files open at a time.
constexpr std::size_t kMostWatched = 4096;
constinit std::array<WatchedRange, kMostWatched> watchedRanges;
std::mutex watchedRangesLock;
std::uintptr_t pageBytes = 4096;
struct sigaction previousAction {};

WatchedRange* watchedRangeOf(std::uintptr_t address) {
    for (auto& range : watchedRanges) {
        const auto end = range.end.load(std::memory_order_acquire);
        if (end != 0 && address < end && address >= range.begin.load(std::memory_order_relaxed)) return &range;
    }
    return nullptr;
}

/// Restores the previous handler as if this one did not exist: the instruction is retried and faults again; a signal
/// that was sent must be repeated. Then the program ends, or its own handler recovers.
void passOn(int signal, const siginfo_t* info) {
    ::sigaction(signal, &previousAction, nullptr);
    if (info->si_code <= 0) ::raise(signal);
}

/// Runs in any thread that read. Only makes system calls.
void onReadFault(int signal, siginfo_t* info, void*) {
    const int keptErrno = errno;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    auto* range = info->si_code > 0 ? watchedRangeOf(address) : nullptr;
    if (range != nullptr) {
        auto* page = reinterpret_cast<void*>(address / pageBytes * pageBytes);
        range->faulted.store(true, std::memory_order_relaxed);
        const auto* zeros = ::mmap(page, pageBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        if (zeros == MAP_FAILED) range = nullptr;
    }
    if (range == nullptr) passOn(signal, info);
    errno = keptErrno;
}

void installOnce() {
    static std::once_flag installed;
    std::call_once(installed, [] {
        pageBytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        struct sigaction action {};
        action.sa_sigaction = &onReadFault;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        ::sigemptyset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &previousAction);
    });
}

} // namespace

ReadFaults::ReadFaults(void* begin, std::size_t bytes) {
    if (begin == nullptr) return;
    installOnce();
    const std::lock_guard lock(watchedRangesLock);
    for (std::size_t i = 0; i < watchedRanges.size(); ++i) {
        auto& range = watchedRanges[i];
        if (range.end.load(std::memory_order_relaxed) != 0) continue;
        range.faulted.store(false, std::memory_order_relaxed);
        range.begin.store(reinterpret_cast<std::uintptr_t>(begin), std::memory_order_relaxed);
        // Up to the end of the last page, because its part after the end of the file can also fault.
        range.end.store((reinterpret_cast<std::uintptr_t>(begin) + bytes + pageBytes - 1) / pageBytes * pageBytes,
                        std::memory_order_release);
        slot_ = static_cast<int>(i);
        return;
    }
}

void ReadFaults::forget() {
    if (slot_ < 0) return;
    const std::lock_guard lock(watchedRangesLock);
    watchedRanges[static_cast<std::size_t>(slot_)].end.store(0, std::memory_order_release);
    slot_ = -1;
}

bool ReadFaults::happened() const {
    return slot_ >= 0 && watchedRanges[static_cast<std::size_t>(slot_)].faulted.load(std::memory_order_relaxed);
}

} // namespace highwater
