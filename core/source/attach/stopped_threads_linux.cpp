#include "core/source/attach/stopped_threads_linux.h"

#include "core/source/attach/process_search_linux.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace highwater::source {
namespace {

/// In each round, only threads can be new that others created before they stopped.
constexpr int kMostLooks = 100;
constexpr std::chrono::milliseconds kLastWait(2'000);

} // namespace

StoppedThreads::StoppedThreads(std::uint32_t pid, std::uint32_t except, std::size_t most,
                               std::chrono::milliseconds within)
    : pid_(pid), most_(most), seen_{except} {
    const auto until = std::chrono::steady_clock::now() + within;
    for (int round = 0; round < kMostLooks && interruptNew(); ++round)
        awaitStops(until);
}

/// A system call that was interrupted at the last moment must be made again, which needs a stopped thread.
StoppedThreads::~StoppedThreads() {
    resume();
    awaitStops(std::chrono::steady_clock::now() + kLastWait);
}

/// All are interrupted before one is waited for: each that stops leaves its processor to the others.
bool StoppedThreads::interruptNew() {
    const auto folder = fmt::format("/proc/{}/task", pid_);
    bool areNew = false;
    for (const auto tid : numbersIn(folder)) {
        if (!seen_.insert(tid).second) continue;
        areNew = true;
        int refusal = 0;
        auto thread = seen_.size() <= most_ ? StoppedThread::interrupt(tid, refusal) : std::nullopt;
        if (thread)
            late_.push_back(std::move(*thread));
        else if (isAlive(fmt::format("{}/task/{}", pid_, tid)))
            ++refused_;
    }
    return areNew;
}

void StoppedThreads::awaitStops(Time until) {
    std::vector<StoppedThread> still;
    for (auto& thread : late_) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        if (thread.awaitStop(std::max(left, std::chrono::milliseconds(0))))
            stopped_.push_back(std::move(thread));
        else if (!thread.isGone())
            still.push_back(std::move(thread));
    }
    late_ = std::move(still);
}

} // namespace highwater::source
