#pragma once

#include "core/agent_linux/channel_layout.h"
#include "core/source/agent/agent_chunks_linux.h"
#include "core/source/agent/agent_event.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace highwater::source {

/// Reads the ring of one recorded thread: what lies at its head, and what became of the thread. Believes nothing that
/// the target wrote: a record that cannot be right ends the ring. Reader's thread only.
class AgentRingReader {
  public:
    /// As we see the thread, not as it does.
    struct Thread {
        std::uint32_t pid = 0;
        std::uint32_t tid = 0;
    };
    /// The ring of a slot in state Used (or already Done). `chunks` outlives it.
    AgentRingReader(AgentChunks& chunks, std::uint32_t slotIndex, Thread thread);

    [[nodiscard]] std::uint32_t slotIndex() const { return slotIndex_; }
    [[nodiscard]] std::uint32_t pid() const { return pid_; }
    [[nodiscard]] std::uint32_t tid() const { return tid_; }
    [[nodiscard]] std::uint32_t processSlot() const { return processSlot_; }
    [[nodiscard]] std::uint64_t startTick() const { return startTick_; }
    [[nodiscard]] std::uint64_t endTick() const;
    /// What the thread was called when it ended; empty if it did not say so.
    [[nodiscard]] std::string endName() const;

    /// Looks how far the thread has got. `now` is the tick at which this pass over all rings began. Afterwards all that
    /// the thread did before completeUntil() can be read, and readability does not change until the next look.
    void look(std::uint64_t now);
    [[nodiscard]] std::uint64_t completeUntil() const { return completeUntil_; }
    /// How long it has been seen in one and the same record; 0 if it is in none. Beyond some time there is no point in
    /// waiting: a signal handler may have left the agent by a jump, for good.
    [[nodiscard]] std::uint64_t heldUpFor(std::uint64_t now) const { return isBusy_ ? now - busySince_ : 0; }
    /// The thread is gone without having said so (its process ended): what is there is all that comes.
    void declareEnded();
    [[nodiscard]] bool hasEnded() const { return hasEnded_; }

    /// The tick of the event at the head; none: nothing to read now.
    [[nodiscard]] std::optional<std::uint64_t> headTick() const { return headTick_; }
    /// Takes that event as it was when it came to the head, without its time. Details go to `details`.
    void take(AgentEvent& event, std::deque<AgentDetail>& details);

    /// Events that the agent dropped since the last call.
    struct Loss {
        std::uint64_t events = 0;
        std::uint64_t fromTick = 0;
        std::uint64_t toTick = 0;
        std::uint64_t nested = 0; ///< more, of signal handlers that interrupted the agent: of these no time is known
    };
    [[nodiscard]] Loss takeLoss();
    [[nodiscard]] bool isDamaged() const { return isDamaged_; }
    [[nodiscard]] std::uint64_t stacksCut() const;

    /// Gives chunks and slot back. The thread must have ended.
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
    std::uint32_t readable_ = 0; ///< of the chunk, as the last look found it
    std::vector<std::uint64_t>
        head_;                    ///< a copy of the record there, of a short one what it is short for; only ever grows
    std::uint32_t headBytes_ = 0; ///< of that record, where it lies
    std::uint64_t lastTick_ = 0;  ///< of the record whose copy it is
    std::uint64_t lastStack_ = 0; ///< of the last allocation up to there
    std::optional<std::uint64_t> headTick_;
    bool isSecondHalf_ = false; ///< of a realloc that moved: its first half was taken
    bool hasEnded_ = false;
    bool isDamaged_ = false;
    std::uint64_t busySeen_ = ~std::uint64_t{0};
    std::uint64_t busySince_ = 0; ///< the look that first found it so
    bool isBusy_ = false;
    std::uint64_t lastLook_ = 0;
    std::uint64_t completeUntil_ = 0;
    std::uint64_t lossTaken_ = 0, nestedTaken_ = 0;
    std::uint64_t lossTick_ = 0;
};

} // namespace highwater::source
