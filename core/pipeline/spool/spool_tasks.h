#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

namespace highwater::pipeline {

/// What is to happen to the file of a recording between two batches. Added by the thread that pushes the batches, run
/// by the one that writes them.
class SpoolTasks {
  public:
    /// False: not now; it is run again later, and those behind it wait.
    using Run = std::function<bool()>;

    /// Runs when so many batches have been written at least.
    void add(std::uint64_t afterBatches, Run run);
    /// Runs what is due, in order. What a task throws ends it.
    void runDue(std::uint64_t batchesWritten);
    /// Whether all that was added has run. Any thread.
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
