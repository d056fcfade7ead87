#pragma once

#include "core/base/thread_priority.h"
#include "core/base/within_memory.h"

#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace highwater {

/// Calls work(0) on this thread, and work(1) to work(count - 1) on threads of their own with the caller's priority.
/// Uses fewer threads if the system cannot start more; the calls must share the work, with no fixed part for each.
/// Returns when all have ended. Rethrows an exception of one of them.
template <typename Work>
void onThreads(std::size_t count, const Work& work) {
    FirstException failure;
    const auto run = [&](std::size_t worker) { failure.guard([&] { work(worker); }); };
    {
        std::vector<std::jthread> others;
        try {
            for (std::size_t worker = 1; worker < count; ++worker)
                others.emplace_back(withPriorityOfCaller([&run, worker] { run(worker); }));
        } catch (const std::system_error&) { // the threads that started do all the work
        }
        run(0);
    }
    failure.rethrow();
}

} // namespace highwater
