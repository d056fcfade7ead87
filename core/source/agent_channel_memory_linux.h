#pragma once

#include "core/agent_linux/channel_layout.h"
#include "core/base/result.h"
#include "core/source/agent_channel_linux.h"
#include "core/source/agent_clock_linux.h"

namespace highwater::source {

/// The shared memory of a channel: a file without a name, sealed so that nobody can cut it off under the target. Its
/// pages come into being when they are written. Immutable after make(), apart from what is in it.
class AgentChannelMemory {
  public:
    static Result<AgentChannelMemory> make(const AgentOptions& options, const AgentClock& clock);
    AgentChannelMemory(AgentChannelMemory&& other) noexcept;
    AgentChannelMemory(const AgentChannelMemory&) = delete;
    AgentChannelMemory& operator=(const AgentChannelMemory&) = delete;
    AgentChannelMemory& operator=(AgentChannelMemory&&) = delete;
    ~AgentChannelMemory();

    [[nodiscard]] agent::ChannelView view() const { return view_; }
    [[nodiscard]] int file() const { return file_; }
    /// Gives the pages of all chunks back to the system, though targets still map them: they find zeros there.
    void emptyChunks();

  private:
    AgentChannelMemory(int file, void* memory, std::uint64_t bytes) : file_(file), memory_(memory), bytes_(bytes) {}
    int file_;
    void* memory_;
    std::uint64_t bytes_;
    agent::ChannelView view_;
};

} // namespace highwater::source
