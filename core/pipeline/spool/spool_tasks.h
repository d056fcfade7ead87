#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

namespace highwater::pipeline {

/// Operations on the file of a recording between two batches. The thread that pushes the batches adds them, and the
/// thread that writes them runs them.
class SpoolTasks {
  public:
    /// False: not now; it is run again later, and those after it wait.
    using Run = std::function<bool()>;

    /// Runs when at least this many batches have been written.
    void add(std::uint64_t afterBatches, Run run);
    /// Runs due tasks, in order. An exception ends the task.
    void runDue(std::uint64_t batchesWritten);
    /// Whether all added tasks have run. Any thread.
    [[nodiscard]] bool areDone() const { return open_.load(std::memory_order_acquire) == 0; }

  private:
    struct Task {
        std::uint64_t afterBatches = 0;
        Run run;
    };
    std::optional<Task> takeDue(std::uint64_t batchesWritten);

    std::mutex mutex_;
    std::deque<Task> tasks_;
    std::atomic<int> open_{0};
};

} // namespace highwater::pipeline
