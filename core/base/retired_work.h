#pragma once

#include <functional>
#include <future>
#include <vector>

namespace highwater {

/// What ends in its own time while its owner goes on: threads in the middle of a file, a save that is under way. Each
/// is waited for by a thread of its own, so that none waits for another; the last owner waits for all. The owner's
/// thread only.
class RetiredWork {
  public:
    /// `end` waits for the end of something and lets go of it. Where no thread can be had, it runs at once.
    void add(std::function<void()> end);

  private:
    std::vector<std::future<void>> waiting_; ///< their destructors wait
};

} // namespace highwater
