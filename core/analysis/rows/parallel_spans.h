#pragma once

#include "core/base/on_threads.h"
#include "core/base/thread_priority.h"
#include "core/base/vector_state.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stop_token>

namespace highwater::analysis {

/// Threads worth starting for so many spans: one per processor, two to eight; one when there is little to do. Of low
/// priority only half as many: several such threads on one processor together take much of it.
[[nodiscard]] inline unsigned workersFor(std::uint64_t spans) {
    constexpr std::uint64_t kSpansPerThread = 4; // a thread takes longer to start than four spans take to read
    const auto processors = std::clamp(usableProcessors(), 2u, 8u);
    const auto most = isThreadPriorityLow() ? processors / 2 : processors;
    return static_cast<unsigned>(std::clamp<std::uint64_t>(spans / kSpansPerThread, 1, most));
}

/// Calls work(worker, span) for every span in [0, spans), each once, on `workers` threads (the caller's is one of
/// them, and the others have its priority). False when stopped before the end. What work throws comes
/// out here, when all threads have ended.
template <typename Work>
bool forEachSpan(std::uint64_t spans, unsigned workers, const std::stop_token& stop, Work work) {
    std::atomic<std::uint64_t> next{0};
    onThreads(workers, [&](std::size_t worker) {
        for (auto span = next++; span < spans && !stop.stop_requested(); span = next++) {
            clearUpperVectorState();
            work(static_cast<unsigned>(worker), span);
        }
    });
    return !stop.stop_requested();
}

} // namespace highwater::analysis
