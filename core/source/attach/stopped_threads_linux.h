#pragma once

#include "core/source/attach/stopped_thread_linux.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace highwater::source {

/// All threads of a process but one, stopped at the same time. One thread of this process uses it.
class StoppedThreads {
  public:
    /// Stops the threads, also those that are created meanwhile, until all are stopped or this time has passed.
    /// `except` and at most `most` threads in total are not touched.
    StoppedThreads(std::uint32_t pid, std::uint32_t except, std::size_t most, std::chrono::milliseconds within);
    /// Waits up to two seconds for threads that have not stopped yet, and continues them. Those that do not stop are
    /// continued by the system when the thread that uses this object ends.
    ~StoppedThreads();
    StoppedThreads(const StoppedThreads&) = delete;
    StoppedThreads& operator=(const StoppedThreads&) = delete;

    [[nodiscard]] const std::vector<StoppedThread>& stopped() const { return stopped_; }
    /// Threads that were not stopped, except that one.
    [[nodiscard]] std::size_t running() const { return late_.size() + refused_; }
    /// Continues all stopped threads.
    void resume() { stopped_.clear(); }

  private:
    using Time = std::chrono::steady_clock::time_point;
    [[nodiscard]] bool interruptNew();
    void awaitStops(Time until);

    std::uint32_t pid_;
    std::size_t most_;
    std::set<std::uint32_t> seen_;
    std::vector<StoppedThread> stopped_;
    std::vector<StoppedThread> late_; ///< interrupted; they have not stopped yet
    std::size_t refused_ = 0;
};

} // namespace highwater::source
