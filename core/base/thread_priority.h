#pragma once

#include <utility>

namespace highwater {

/// The calling thread takes from now on what the others leave it: for work that nobody waits for, while the GUI thread
/// or a recording needs the processors. For good: Linux lets nobody take it back. Threads that it starts are to call
/// it, too (Linux hands it on, Windows does not). Where the system refuses, nothing changes.
void lowerThreadPriority();

/// lowerThreadPriority() was called on this thread.
[[nodiscard]] bool isThreadPriorityLow();

/// How many threads of this process can run at one time: processors that it may use, which can be fewer than the
/// machine has. At least one.
[[nodiscard]] unsigned usableProcessors();

/// What a thread that the caller starts is to run, so that it works with the priority of the caller.
template <typename Work>
[[nodiscard]] auto withPriorityOfCaller(Work work) {
    return [work = std::move(work), isLow = isThreadPriorityLow()] {
        if (isLow) lowerThreadPriority();
        work();
    };
}

} // namespace highwater
