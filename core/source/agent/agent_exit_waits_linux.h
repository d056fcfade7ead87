#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>

namespace highwater::source {

/// Processes that wait at their end until the recorder has copied them, and the words in the channel on which they
/// wait. Any thread.
class AgentExitWaits {
  public:
    /// `word`: ProcessSlot::exitWait, valid until forget() or close().
    void add(std::uint32_t pid, std::atomic<std::uint32_t>& word);
    void forget(std::uint32_t pid);
    /// Lets the process end. Does nothing if it does not wait.
    void letEnd(std::uint32_t pid);
    /// The channel is about to be unmapped. Processes that still wait notice the end of the recorder.
    void close();

  private:
    std::mutex mutex_;
    std::map<std::uint32_t, std::atomic<std::uint32_t>*> words_; ///< by pid
};

} // namespace highwater::source
