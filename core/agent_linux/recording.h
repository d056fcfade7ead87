#pragma once

#include "core/agent_linux/channel_layout.h"
#include "core/agent_linux/ticks.h"

namespace highwater::agent {

/// What this process knows of the channel that it writes to. One for the process; written when recording starts and in
/// a forked child, read by every hook.
struct Recording {
    /// What `owner` points to. The kernel zeroes that page in a forked child, however it was forked. From kPaused on:
    /// this process again when the restrictions that are under way (see there) have ended, which are one more than the
    /// distance from it, unless one of them stays.
    enum Owner : std::uint32_t { kUnknown = 0, kThisProcess = 1, kNobody = 2, kPaused = 3 };

    const std::atomic<std::uint32_t>* owner = nullptr;
    ChannelView channel;
    TickClock clock = TickClock::Monotonic;
    std::uint32_t options = 0;
    std::uint64_t baseTick = 0;
    std::uint32_t processSlot = 0;
    std::atomic<std::uint32_t> pid{0};
    std::atomic<std::uint32_t> generation{0}; ///< another one in a forked child: its threads' rings are its parent's
    std::atomic<std::uint64_t> seed{0};       ///< of stack keys; another one when code was unloaded

    [[nodiscard]] std::uint64_t tick() const { return ticksNow(clock) - baseTick; }
};

extern Recording recording;

/// When in the process's life recording begins.
enum class Begin { WithProgram, InItsMidst };

/// Maps the channel and reports this process and its modules. Does nothing when the channel cannot be had: the target
/// then runs as it would without us. Called by the library's constructor, or by whoever loaded it later: then also again,
/// for another channel when the recording to the first one is over.
[[nodiscard]] StartResult startRecording(const char* channelPath, Begin begin);
/// The same for a program that was launched with kChannelVariable of that value. Nothing is opened, and no system call
/// made but what the dynamic linker makes, where the program runs under filters that its recorder is not under.
[[nodiscard]] StartResult startLaunched(const char* channel);

/// Whether a process whose owner page was zeroed (a forked child) may write; makes it a recorded process of its own if
/// its options say so. Any thread; of several, one does it and the others are told to pass through meanwhile.
[[nodiscard]] bool adoptForkedChild();

/// Announces, while it lives, that this thread makes system calls of the agent's that no record of its shows: a Restriction
/// on another thread waits for their end. Not permitted: one has begun already, or stays.
class AgentCalls {
  public:
    AgentCalls();
    ~AgentCalls();
    AgentCalls(const AgentCalls&) = delete;
    AgentCalls& operator=(const AgentCalls&) = delete;
    [[nodiscard]] bool arePermitted() const { return arePermitted_; }

  private:
    bool arePermitted_;
};

/// Stands around a system call that forbids this process others: meanwhile nothing is recorded, and no thread is inside
/// the agent, nor makes a system call of its. If the call had its effect it stays so, in forked children, too. Several
/// threads may be at it: recording goes on when the last one has ended, unless one stays.
class Restriction {
  public:
    Restriction();
    ~Restriction();
    Restriction(const Restriction&) = delete;
    Restriction& operator=(const Restriction&) = delete;
    void stay();

  private:
    bool isUnderWay_ = false;
};

/// Whether events are wanted at this instant.
[[nodiscard]] inline bool isRecording() {
    if (recording.owner == nullptr) return false;
    const std::uint32_t owner = recording.owner->load(std::memory_order_relaxed);
    if (owner != Recording::kThisProcess) [[unlikely]] {
        if (owner != Recording::kUnknown || !adoptForkedChild()) return false;
    }
    return recording.channel.header().isRecording.load(std::memory_order_relaxed) != 0;
}
[[nodiscard]] inline bool isRecordingHeap() { return isRecording() && (recording.options & kRecordHeap) != 0; }
[[nodiscard]] inline bool isRecordingVirtualMemory() {
    return isRecording() && (recording.options & kRecordVirtualMemory) != 0;
}

} // namespace highwater::agent
