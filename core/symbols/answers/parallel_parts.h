#pragma once

#include "core/base/on_threads.h"
#include "core/base/vector_state.h"

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace highwater::symbols {

/// Calls work(i) for every i in [0, count) on as many threads as the machine has. Each thread takes the next index. The
/// threads have the priority of the caller. Returns when all are done; an exception of `work` is rethrown then.
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
