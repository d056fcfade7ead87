#pragma once

#include "core/agent_linux/channel_layout.h"
#include "core/source/agent/agent_exit_waits_linux.h"
#include "core/source/attach/process_search_linux.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace highwater::source {

/// A recorded process in the channel's list, and whether it is still running. Reader's thread only.
struct AgentProcess {
    std::uint32_t slot = 0;
    std::uint32_t ownPid = 0; ///< pid in its own pid namespace
    std::uint32_t pid = 0;    ///< pid in our namespace; above kMostPid if not known
    std::uint32_t parentPid = 0;
    std::uint32_t origin = 0; ///< an agent::Origin
    bool hasEnded = false;    ///< its rings are complete
    bool isReplaced = false;  ///< ended by exec: the pid continues
    std::uint64_t startTick = 0;
    std::uint64_t endTick = 0; ///< first time it was seen to have ended; 0: not yet
    bool hasWaited = false;    ///< at its end, for a picture of its memory
    bool isRestricted = false; ///< it restricted its own system calls and does not write any more
    int handle = -1;           ///< a pidfd; -1: not available
    std::string name;          ///< the name it was started as; empty: unknown
};

/// All processes of a channel that have not been released.
class AgentProcesses {
  public:
    AgentProcesses(agent::ChannelView channel, ChannelTraces traces) : channel_(channel), traces_(std::move(traces)) {}
    AgentProcesses(const AgentProcesses&) = delete;
    AgentProcesses& operator=(const AgentProcesses&) = delete;
    ~AgentProcesses();

    /// Finds processes that registered since the last call. They are at the end of the list, after the returned count.
    /// A process that continues under the pid of another one (exec) is held back until that one is released; it marks
    /// that one as ended.
    std::size_t findNew();
    /// Start of the first process that is held back; nothing later may be delivered before that process is found.
    [[nodiscard]] std::uint64_t heldBackFrom() const { return heldBackFrom_; }
    /// The process in a slot with this pid in its own pid namespace; null: not found yet.
    [[nodiscard]] const AgentProcess* find(std::uint32_t slot, std::uint32_t ownPid) const;
    /// Sets the process that watches the channel for us.
    void setWatch(std::uint32_t pid) { traces_.watch = pid; }
    /// Whether a known process is still running.
    [[nodiscard]] bool isAnyRunning() const;
    /// Whether processes exist that may still register: copies of recorded processes that have not done anything yet,
    /// or processes that would pass the agent on. Examines all processes of the system only if none is known, for use
    /// after all others have ended.
    [[nodiscard]] bool isAnySilent();
    /// Number of processes that were assigned a number above kMostPid.
    [[nodiscard]] std::uint32_t unknownNumbers() const { return unknown_; }
    static constexpr std::uint32_t kMostPid = 1u << 22; ///< the highest pid of Linux
    /// Finds ended processes, waiting at most that long for one to end.
    void findEnded(int milliseconds);
    /// Records this tick as the end time of ended processes, because reading their events may take time.
    void noteEnded(std::uint64_t tick);
    /// Processes that restricted themselves since the last call, as (pid, tick).
    [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint64_t>> findRestricted();
    /// Pids of processes that have begun to wait at their end since the last call. They wait until release, or until
    /// they run out of patience.
    [[nodiscard]] std::vector<std::uint32_t> findWaiting();
    [[nodiscard]] const std::shared_ptr<AgentExitWaits>& exitWaits() const { return exitWaits_; }
    /// Removes an ended process and frees its slot.
    void release(std::size_t index);

    [[nodiscard]] const std::vector<AgentProcess>& list() const { return list_; }

  private:
    template <typename Condition, typename Action>
    void pollEach(const Condition& isAsked, int milliseconds, const Action& onEnded);

    [[nodiscard]] std::uint32_t numberOf(const agent::ProcessSlot& slot);

    agent::ChannelView channel_;
    ChannelTraces traces_;
    std::vector<AgentProcess> list_;
    std::shared_ptr<AgentExitWaits> exitWaits_ = std::make_shared<AgentExitWaits>(); ///< those of findWaiting()
    std::vector<int> silent_; ///< pidfds, see isAnySilent()
    std::uint32_t unknown_ = 0;
    std::chrono::steady_clock::time_point nextSearch_; ///< earliest next search of a number among all processes
    std::uint64_t heldBackFrom_ = ~std::uint64_t{0};
};

/// Whether a thread exists.
[[nodiscard]] bool threadExists(std::uint32_t pid, std::uint32_t tid);

} // namespace highwater::source
