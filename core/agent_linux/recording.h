#pragma once

#include "core/agent_linux/recording_state.h"
#include "core/agent_linux/restriction.h"

namespace highwater::agent {

/// When in the process's life recording begins.
enum class Begin { WithProgram, InItsMidst };

/// Maps the channel and reports this process and its modules. Does nothing when the channel cannot be had: the target
/// then runs as it would without us. Called by the library's constructor, or by whoever loaded it later: then also
/// again, for another channel when the recording to the first one is over.
[[nodiscard]] StartResult startRecording(const char* channelPath, Begin begin);
/// The same for a program that was launched with kChannelVariable of that value. Nothing is opened, and no system call
/// made but what the dynamic linker makes, where the program runs under filters that its recorder is not under.
[[nodiscard]] StartResult startLaunched(const char* channel);

/// Whether a process whose owner page was zeroed (a forked child) may write; makes it a recorded process of its own if
/// its options say so. Any thread; of several, one does it and the others are told to pass through meanwhile.
[[nodiscard]] bool adoptForkedChild();

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
