#pragma once

#include "core/source/agent/agent_channel_memory_linux.h"

#include <cstdint>

namespace highwater::source {

/// The reader's view of the chunks of a channel: returns chunks that have been read and counts those with unread data.
/// If many chunks were filled at once, their memory is returned to the system as they are read. A limited number keep
/// their memory because they are faster to write again. Reader's thread only.
class AgentChunks {
  public:
    /// The memory must outlive it.
    explicit AgentChunks(const AgentChannelMemory& memory);

    [[nodiscard]] agent::ChannelView view() const { return view_; }
    /// Returns a chunk to the pool. It must not be written or read any more.
    void giveBack(std::uint32_t number);
    /// Number of chunks that are not in the pool. A faulty target can make the number wrong, but cannot cause other
    /// harm.
    [[nodiscard]] std::uint32_t inUse() const;

  private:
    const AgentChannelMemory& memory_;
    agent::ChannelView view_;
    std::uint32_t givenBack_ = 0; ///< total, as the pool counts
};

} // namespace highwater::source
