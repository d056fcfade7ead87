#pragma once

#include "core/base/on_threads.h"
#include "core/base/vector_state.h"

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace highwater::symbols {

/// Calls work(i) for every i in [0, count), on as many threads as the machine has; each thread takes the next one that
/// is left. They have the priority of the caller. Returns when all are done. What work throws comes out
/// here, when all threads have ended.
template <typename Work>
void inParallel(std::size_t count, const Work& work) {
    const auto threads = std::min<std::size_t>(count, usableProcessors());
    std::atomic<std::size_t> next{0};
    onThreads(threads, [&](std::size_t) {
        for (auto i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
            clearUpperVectorState();
            work(i);
        }
    });
}

} // namespace highwater::symbols
