#pragma once

#include "core/base/on_threads.h"
#include "core/base/thread_priority.h"
#include "core/base/vector_state.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stop_token>

namespace highwater::analysis {

/// A useful number of threads for this number of spans: one per processor, two to eight; one for little work. Half as
/// many at low priority because several such threads on one processor together still take a large share of it.
[[nodiscard]] inline unsigned workersFor(std::uint64_t spans) {
    constexpr std::uint64_t kSpansPerThread = 4; // starting a thread takes longer than reading four spans
    const auto processors = std::clamp(usableProcessors(), 2u, 8u);
    const auto most = isThreadPriorityLow() ? processors / 2 : processors;
    return static_cast<unsigned>(std::clamp<std::uint64_t>(spans / kSpansPerThread, 1, most));
}

/// Calls work(worker, span) once for every span in [0, spans), on `workers` threads (one is the caller's, and the
/// others have its priority). False: stopped before the end. Rethrows an exception of work when all threads have ended.
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
