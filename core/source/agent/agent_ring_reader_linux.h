#pragma once

#include "core/agent_linux/channel_layout.h"
#include "core/source/agent/agent_chunks_linux.h"
#include "core/source/agent/agent_event.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace highwater::source {

/// Reads the ring of one recorded thread: the event at its head and the state of the thread. Does not trust the target:
/// an invalid record ends the ring. Reader's thread only.
class AgentRingReader {
  public:
    /// The ids of the thread in our pid namespace.
    struct Thread {
        std::uint32_t pid = 0;
        std::uint32_t tid = 0;
    };
    /// The ring of a slot in state Used or Done. `chunks` must outlive it.
    AgentRingReader(AgentChunks& chunks, std::uint32_t slotIndex, Thread thread);

    [[nodiscard]] std::uint32_t slotIndex() const { return slotIndex_; }
    [[nodiscard]] std::uint32_t pid() const { return pid_; }
    [[nodiscard]] std::uint32_t tid() const { return tid_; }
    [[nodiscard]] std::uint32_t processSlot() const { return processSlot_; }
    [[nodiscard]] std::uint64_t startTick() const { return startTick_; }
    [[nodiscard]] std::uint64_t endTick() const;
    /// The name of the thread when it ended; empty if it was not reported.
    [[nodiscard]] std::string endName() const;

    /// Determines how far the thread has written. `now` is the tick at the start of this pass over all rings.
    /// Afterwards all events before completeUntil() can be read, and the readable range does not change until the next
    /// look.
    void look(std::uint64_t now);
    [[nodiscard]] std::uint64_t completeUntil() const { return completeUntil_; }
    /// The time that the thread has spent in the same record; 0 if it is in none. After some time waiting is pointless,
    /// because a signal handler may have left the agent permanently with a jump.
    [[nodiscard]] std::uint64_t heldUpFor(std::uint64_t now) const { return isBusy_ ? now - busySince_ : 0; }
    /// Marks a thread that ended without reporting it because its process ended: no more events follow.
    void declareEnded();
    [[nodiscard]] bool hasEnded() const { return hasEnded_; }

    /// The tick of the event at the head; nothing if there is nothing to read now.
    [[nodiscard]] std::optional<std::uint64_t> headTick() const { return headTick_; }
    /// Takes the event as it was when it reached the head, without its time. Adds details to `details`.
    void take(AgentEvent& event, std::deque<AgentDetail>& details);

    /// Events dropped by the agent since the last call.
    struct Loss {
        std::uint64_t events = 0;
        std::uint64_t fromTick = 0;
        std::uint64_t toTick = 0;
        std::uint64_t nested = 0; ///< additional events of signal handlers that interrupted the agent, whose times are
                                  ///< not known
    };
    [[nodiscard]] Loss takeLoss();
    [[nodiscard]] bool isDamaged() const { return isDamaged_; }
    [[nodiscard]] std::uint64_t stacksCut() const;

    /// Returns chunks and slot. The thread must have ended.
    void handBack();

  private:
    [[nodiscard]] agent::ThreadSlot& slot() const { return channel_.thread(slotIndex_); }
    [[nodiscard]] std::uint64_t* words() const;
    void findHead();
    [[nodiscard]] bool copyHead();
    void completeHead();
    [[nodiscard]] bool isMove() const;
    [[nodiscard]] bool enterNextChunk();
    [[nodiscard]] std::uint32_t recordBytes(std::uint32_t available) const;
    void fillPages(AgentEvent& event) const;
    void fill(AgentEvent& event, std::deque<AgentDetail>& details) const;
    void readModule(AgentEvent& event, AgentDetail& detail) const;

    AgentChunks& chunks_;
    agent::ChannelView channel_;
    std::uint32_t slotIndex_;
    std::uint32_t pid_;
    std::uint32_t tid_;
    std::uint32_t processSlot_;
    std::uint64_t startTick_;
    std::uint32_t chunk_ = agent::kNoChunk;
    std::uint32_t position_ = 0;
    std::uint32_t readable_ = 0;      ///< end of the readable bytes in the chunk at the last look
    std::vector<std::uint64_t> head_; ///< a copy of the record there, expanded if it is a short one; only ever grows
    std::uint32_t headBytes_ = 0;     ///< size of that record in the ring
    std::uint64_t lastTick_ = 0;      ///< tick of the copied record
    std::uint64_t lastStack_ = 0;     ///< stack of the last allocation up to there
    std::optional<std::uint64_t> headTick_;
    bool isSecondHalf_ = false; ///< the first half of a moving realloc was taken
    bool hasEnded_ = false;
    bool isDamaged_ = false;
    std::uint64_t busySeen_ = ~std::uint64_t{0};
    std::uint64_t busySince_ = 0; ///< time of the look that first found it busy
    bool isBusy_ = false;
    std::uint64_t lastLook_ = 0;
    std::uint64_t completeUntil_ = 0;
    std::uint64_t lossTaken_ = 0, nestedTaken_ = 0;
    std::uint64_t lossTick_ = 0;
};

} // namespace highwater::source
