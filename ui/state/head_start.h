#pragma once

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace highwater::ui {

/// Delays slow queries until a quick one has its answer, or for a short time at most, because they would take the
/// processors from it. Any thread.
class HeadStart {
  public:
    /// `most` limits the wait, regardless of the quick query.
    explicit HeadStart(std::chrono::milliseconds most = std::chrono::milliseconds(12)) : most_(most) {}

    void end() {
        {
            const std::scoped_lock lock(mutex_);
            isOver_ = true;
        }
        changed_.notify_all();
    }
    /// Returns within 2 ms of a stop.
    void wait(const std::stop_token& stop) {
        constexpr std::chrono::milliseconds kStep(2);
        std::unique_lock lock(mutex_);
        for (auto left = most_; !isOver_ && left.count() > 0 && !stop.stop_requested(); left -= kStep)
            (void)changed_.wait_for(lock, std::min(left, kStep), [this] { return isOver_; });
    }

  private:
    std::chrono::milliseconds most_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool isOver_ = false;
};

} // namespace highwater::ui
