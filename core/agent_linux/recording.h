#pragma once

#include "core/agent_linux/recording_state.h"
#include "core/agent_linux/restriction.h"

namespace highwater::agent {

/// Whether recording starts with the program or later.
enum class Begin { WithProgram, InItsMidst };

/// Maps the channel and reports this process and its modules. Does nothing if the channel is not available: the target
/// then runs as without the agent. Called by the library's constructor, or after the library was loaded later; then
/// also again, for another channel when the previous recording has ended.
[[nodiscard]] StartResult startRecording(const char* channelPath, Begin begin);
/// The same for a program that was launched with kChannelVariable of that value. If the program has system call filters
/// that its recorder does not have, nothing is opened and no system calls are made except those that the dynamic linker
/// makes.
[[nodiscard]] StartResult startLaunched(const char* channel);

/// Whether a process whose owner page was zeroed (a forked child) may write. Makes it a recorded process if its options
/// say so. Any thread: if several call it, one does the work and the others pass through meanwhile.
[[nodiscard]] bool adoptForkedChild();

/// Whether events are wanted now.
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
