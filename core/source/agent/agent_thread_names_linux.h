#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace highwater::source {

/// What recorded threads are called, asked of the system: soon and often while a thread is new, as threads are named
/// when they begin, and ever more rarely later. What a thread was called when it ended the agent says. Reader's thread
/// only.
class AgentThreadNames {
  public:
    /// A look at all threads begins: so many are asked for at most.
    void beginPass() { left_ = kMostPerPass; }
    /// What the thread in this slot is called, if it is time to ask, and it is not called so already.
    [[nodiscard]] std::optional<std::string> look(std::uint32_t slot, std::uint32_t pid, std::uint32_t tid,
                                                  std::int64_t nowNs);
    /// The same at once, as there will be no other time.
    [[nodiscard]] std::optional<std::string> lookAtLast(std::uint32_t slot, std::uint32_t pid, std::uint32_t tid);
    /// What the thread says of itself as it ends: nothing if it is called so already, or says nothing. Forgets the
    /// slot.
    [[nodiscard]] std::optional<std::string> end(std::uint32_t slot, std::string_view name);

  private:
    static constexpr std::int64_t kFirstPauseNs = 5'000'000;
    static constexpr std::int64_t kLongestPauseNs =
        2'000'000'000;                      ///< with it, all threads there can be are asked in turn
    static constexpr int kMostPerPass = 64; ///< some 0.3 ms

    struct Known {
        std::string name;
        std::int64_t dueNs = 0;
        std::int64_t pauseNs = kFirstPauseNs;
    };
    [[nodiscard]] static std::optional<std::string> change(Known& known, std::string_view name);

    std::unordered_map<std::uint32_t, Known> known_; ///< by slot
    int left_ = 0;
};

/// The name that the system has of a thread; empty: it is gone. Linux keeps 15 bytes.
[[nodiscard]] std::string threadNameNow(std::uint32_t pid, std::uint32_t tid);

} // namespace highwater::source
