#pragma once

#include "core/agent_linux/channel_layout.h"
#include "core/base/result.h"
#include "core/source/agent/agent_clock_linux.h"
#include "core/source/agent/agent_options.h"

namespace highwater::source {

/// The shared memory of a channel: an unnamed file, sealed so that it cannot be truncated while the target uses it.
/// Pages are allocated when they are first written. Immutable after make(), apart from its contents.
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
    /// The number of system call filters that this process is under, as the agent counts them.
    [[nodiscard]] std::uint32_t filters() const { return filters_; }
    /// Offset and size of the chunks, in bytes.
    [[nodiscard]] std::uint64_t chunksAt() const { return bytes_ - chunkBytes(); }
    [[nodiscard]] std::uint64_t chunkBytes() const { return std::uint64_t{view_.chunkCount()} * agent::kChunkBytes; }
    /// Returns the pages of all chunks to the system, although targets still map them: they read zeros there.
    void emptyChunks();
    /// Returns the pages of one chunk to the system.
    void emptyChunk(std::uint32_t number) const;

    /// The inode of the file, as in lists of mappings.
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
