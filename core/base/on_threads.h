#pragma once

#include "core/base/thread_priority.h"
#include "core/base/within_memory.h"

#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace highwater {

/// Calls work(0) here, and work(1) to work(count - 1) on threads of their own, which have the caller's priority; on
/// fewer where the system has no more threads to give: who is called shares the work with the others, and has none of
/// his own. Returns when all have ended. What one of them throws comes out here then.
template <typename Work>
void onThreads(std::size_t count, const Work& work) {
    FirstException failure;
    const auto run = [&](std::size_t worker) { failure.guard([&] { work(worker); }); };
    {
        std::vector<std::jthread> others;
        try {
            for (std::size_t worker = 1; worker < count; ++worker)
                others.emplace_back(withPriorityOfCaller([&run, worker] { run(worker); }));
        } catch (const std::system_error&) { // those that there are do it all
        }
        run(0);
    }
    failure.rethrow();
}

} // namespace highwater
