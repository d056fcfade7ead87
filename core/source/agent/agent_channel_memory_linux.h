#pragma once

#include "core/agent_linux/channel_layout.h"
#include "core/base/result.h"
#include "core/source/agent/agent_clock_linux.h"
#include "core/source/agent/agent_options.h"

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
    /// The filters of system calls that this process is under, as the agent counts them.
    [[nodiscard]] std::uint32_t filters() const { return filters_; }
    /// Where the chunks begin in it, and how many bytes they are.
    [[nodiscard]] std::uint64_t chunksAt() const { return bytes_ - chunkBytes(); }
    [[nodiscard]] std::uint64_t chunkBytes() const { return std::uint64_t{view_.chunkCount()} * agent::kChunkBytes; }
    /// Gives the pages of all chunks back to the system, though targets still map them: they find zeros there.
    void emptyChunks();
    /// The same for one of them.
    void emptyChunk(std::uint32_t number) const;

    /// Of the file, as the lists of mappings show it.
    [[nodiscard]] std::uint64_t inode() const;

  private:
    AgentChannelMemory(int file, void* memory, std::uint64_t bytes) : file_(file), memory_(memory), bytes_(bytes) {}
    int file_;
    void* memory_;
    std::uint64_t bytes_;
    std::uint32_t filters_ = 0;
    agent::ChannelView view_;
};

} // namespace highwater::source
