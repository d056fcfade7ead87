#pragma once

#include <utility>

namespace highwater {

/// Lowers the priority of the calling thread, so that it runs only when others leave processor time. For work without a
/// waiting user, while the GUI thread or a recording needs the processors. Permanent: Linux does not allow a return.
/// Threads that it starts must call it as well (Linux inherits the priority, Windows does not). If the system refuses,
/// nothing changes.
void lowerThreadPriority();

/// Whether lowerThreadPriority() was called on this thread.
[[nodiscard]] bool isThreadPriorityLow();

/// The number of threads of this process that can run at the same time: the processors that it may use, which can be
/// fewer than the machine has. At least one.
[[nodiscard]] unsigned usableProcessors();

/// Wraps the function of a new thread, so that it runs with the priority of the caller.
template <typename Work>
[[nodiscard]] auto withPriorityOfCaller(Work work) {
    return [work = std::move(work), isLow = isThreadPriorityLow()] {
        if (isLow) lowerThreadPriority();
        work();
    };
}

} // namespace highwater
