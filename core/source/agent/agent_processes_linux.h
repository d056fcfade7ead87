#pragma once

#include "core/agent_linux/channel_layout.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace highwater::source {

/// A recorded process as the channel lists it, and whether it still runs. Reader's thread only.
struct AgentProcess {
    std::uint32_t slot = 0;
    std::uint32_t pid = 0;
    std::uint32_t parentPid = 0;
    std::uint32_t origin = 0; ///< an agent::Origin
    bool hasEnded = false;    ///< its rings hold all they will ever hold
    bool isReplaced = false;  ///< ended by exec: the pid goes on
    std::uint64_t startTick = 0;
    std::uint64_t endTick = 0; ///< when it was first seen to be gone; 0: not yet
    bool isRestricted = false; ///< it forbade itself system calls, and writes no more
    int handle = -1;           ///< a pidfd; -1: none could be had, as it is gone
};

/// All processes of a channel that are not over yet.
class AgentProcesses {
  public:
    explicit AgentProcesses(agent::ChannelView channel) : channel_(channel) {}
    AgentProcesses(const AgentProcesses&) = delete;
    AgentProcesses& operator=(const AgentProcesses&) = delete;
    ~AgentProcesses();

    /// Finds those that registered since the last call: they are the ones behind the count returned. One that goes on
    /// under the pid of another (exec) is held back until that one is released: then it marks that one as ended.
    std::size_t findNew();
    /// When the first of those held back began; nothing later may be delivered before it is found.
    [[nodiscard]] std::uint64_t heldBackFrom() const { return heldBackFrom_; }
    [[nodiscard]] bool contains(std::uint32_t slot, std::uint32_t pid) const;
    /// Asks which ones have ended, waiting for at most so long for one to do so.
    void findEnded(int milliseconds);
    /// Notes for those that are gone that they were so at this tick: reading what they wrote may take its time.
    void noteEnded(std::uint64_t tick);
    /// Those that restricted themselves since the last call, each as (pid, tick).
    [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint64_t>> findRestricted();
    /// Forgets an ended one and frees its slot.
    void release(std::size_t index);

    [[nodiscard]] const std::vector<AgentProcess>& list() const { return list_; }

  private:
    template <typename Condition, typename Action>
    void pollEach(const Condition& isAsked, int milliseconds, const Action& onEnded);

    agent::ChannelView channel_;
    std::vector<AgentProcess> list_;
    std::uint64_t heldBackFrom_ = ~std::uint64_t{0};
};

/// Whether a thread exists now.
[[nodiscard]] bool threadExists(std::uint32_t pid, std::uint32_t tid);

} // namespace highwater::source
