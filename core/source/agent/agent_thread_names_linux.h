#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace highwater::source {

/// Current names of recorded threads, queried from the system: often while a thread is new, because threads are usually
/// named when they start, and less and less often later. The agent reports the name of a thread that ends. Reader's
/// thread only.
class AgentThreadNames {
  public:
    /// Starts a pass over all threads. The number of queries per pass is limited.
    void beginPass() { left_ = kMostPerPass; }
    /// The new name of the thread in this slot, if a query is due and the name has changed.
    [[nodiscard]] std::optional<std::string> look(std::uint32_t slot, std::uint32_t pid, std::uint32_t tid,
                                                  std::int64_t nowNs);
    /// Queries the name at once, as the last chance.
    [[nodiscard]] std::optional<std::string> lookAtLast(std::uint32_t slot, std::uint32_t pid, std::uint32_t tid);
    /// Takes the name that an ending thread reports. Nothing if it is empty or unchanged. Forgets the slot.
    [[nodiscard]] std::optional<std::string> end(std::uint32_t slot, std::string_view name);

  private:
    static constexpr std::int64_t kFirstPauseNs = 5'000'000;
    static constexpr std::int64_t kLongestPauseNs =
        2'000'000'000;                      ///< enough to query the maximum number of threads in turn
    static constexpr int kMostPerPass = 64; ///< about 0.3 ms

    struct Known {
        std::string name;
        std::int64_t dueNs = 0;
        std::int64_t pauseNs = kFirstPauseNs;
    };
    [[nodiscard]] static std::optional<std::string> change(Known& known, std::string_view name);

    std::unordered_map<std::uint32_t, Known> known_; ///< by slot
    int left_ = 0;
};

/// The current name of a thread; empty: it has ended. Linux keeps 15 bytes.
[[nodiscard]] std::string threadNameNow(std::uint32_t pid, std::uint32_t tid);

} // namespace highwater::source
