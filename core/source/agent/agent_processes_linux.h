#pragma once

#include "core/agent_linux/channel_layout.h"
#include "core/source/attach/process_search_linux.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace highwater::source {

/// A recorded process as the channel lists it, and whether it still runs. Reader's thread only.
struct AgentProcess {
    std::uint32_t slot = 0;
    std::uint32_t ownPid = 0; ///< as the process itself sees it, in its pid namespace
    std::uint32_t pid = 0;    ///< as we see it; above kMostPid where that is not known
    std::uint32_t parentPid = 0;
    std::uint32_t origin = 0; ///< an agent::Origin
    bool hasEnded = false;    ///< its rings hold all they will ever hold
    bool isReplaced = false;  ///< ended by exec: the pid goes on
    std::uint64_t startTick = 0;
    std::uint64_t endTick = 0; ///< when it was first seen to be gone; 0: not yet
    bool isRestricted = false; ///< it forbade itself system calls, and writes no more
    int handle = -1;           ///< a pidfd; -1: none could be had
    std::string name;          ///< what it was started as; empty: unknown
};

/// All processes of a channel that are not over yet.
class AgentProcesses {
  public:
    AgentProcesses(agent::ChannelView channel, ChannelTraces traces) : channel_(channel), traces_(std::move(traces)) {}
    AgentProcesses(const AgentProcesses&) = delete;
    AgentProcesses& operator=(const AgentProcesses&) = delete;
    ~AgentProcesses();

    /// Finds those that registered since the last call: they are the ones behind the count returned. One that goes on
    /// under the pid of another (exec) is held back until that one is released: then it marks that one as ended.
    std::size_t findNew();
    /// When the first of those held back began; nothing later may be delivered before it is found.
    [[nodiscard]] std::uint64_t heldBackFrom() const { return heldBackFrom_; }
    /// The process of a slot that has this number in its own pid namespace; null: it is not found yet.
    [[nodiscard]] const AgentProcess* find(std::uint32_t slot, std::uint32_t ownPid) const;
    /// The process that watches over the channel for us.
    void setWatch(std::uint32_t pid) { traces_.watch = pid; }
    /// Whether any is known that still runs.
    [[nodiscard]] bool isAnyRunning() const;
    /// Whether there are processes that may still register: copies of recorded ones that have done nothing yet, or who
    /// would hand the agent on. Asks all processes of the system only when none is known: for when all others have
    /// ended.
    [[nodiscard]] bool isAnySilent();
    /// How many have got a number above kMostPid.
    [[nodiscard]] std::uint32_t unknownNumbers() const { return unknown_; }
    static constexpr std::uint32_t kMostPid = 1u << 22; ///< Linux gives no higher ones
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

    [[nodiscard]] std::uint32_t numberOf(const agent::ProcessSlot& slot);

    agent::ChannelView channel_;
    ChannelTraces traces_;
    std::vector<AgentProcess> list_;
    std::vector<int> silent_; ///< pidfds, see isAnySilent()
    std::uint32_t unknown_ = 0;
    std::chrono::steady_clock::time_point nextSearch_; ///< for a number among all processes
    std::uint64_t heldBackFrom_ = ~std::uint64_t{0};
};

/// Whether a thread exists now.
[[nodiscard]] bool threadExists(std::uint32_t pid, std::uint32_t tid);

} // namespace highwater::source
