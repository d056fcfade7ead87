#include "core/pipeline/spool/spool_tasks.h"

#include <utility>

namespace highwater::pipeline {
namespace {

/// Releases one of the open tasks in all cases.
class OpenTask {
  public:
    explicit OpenTask(std::atomic<int>& all) : all_(all) {}
    ~OpenTask() { all_.fetch_sub(1, std::memory_order_release); }
    OpenTask(const OpenTask&) = delete;
    OpenTask& operator=(const OpenTask&) = delete;

  private:
    std::atomic<int>& all_;
};

} // namespace

void SpoolTasks::add(std::uint64_t afterBatches, Run run) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back({afterBatches, std::move(run)});
    open_.fetch_add(1, std::memory_order_relaxed);
}

void SpoolTasks::runDue(std::uint64_t batchesWritten) {
    while (auto task = takeDue(batchesWritten)) {
        const OpenTask isOpen(open_);
        if (task->run()) continue;
        const std::lock_guard lock(mutex_);
        tasks_.push_front(std::move(*task));
        open_.fetch_add(1, std::memory_order_relaxed);
        return;
    }
}

std::optional<SpoolTasks::Task> SpoolTasks::takeDue(std::uint64_t batchesWritten) {
    const std::lock_guard lock(mutex_);
    if (tasks_.empty() || tasks_.front().afterBatches > batchesWritten) return std::nullopt;
    auto task = std::move(tasks_.front());
    tasks_.pop_front();
    return task;
}

} // namespace highwater::pipeline
