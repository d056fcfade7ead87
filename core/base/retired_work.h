#pragma once

#include <functional>
#include <future>
#include <vector>

namespace highwater {

/// Operations that end later while their owner continues: threads in the middle of a file, a save in progress. Each has
/// its own waiting thread, so none delays another; the last owner waits for all. The owner's thread only.
class RetiredWork {
  public:
    /// `end` waits for the end of an operation and releases it. If no thread can be started, it runs immediately.
    void add(std::function<void()> end);

  private:
    std::vector<std::future<void>> waiting_; ///< their destructors wait
};

} // namespace highwater
