#pragma once

#include "core/source/agent/agent_channel_memory_linux.h"

#include <cstdint>

namespace highwater::source {

/// The chunks of a channel as the reader sees them: gives back those that it has read, and knows how many hold what it
/// has not. Of many that were filled at one time the memory goes back to the system as they are read: only so many keep
/// theirs, which is faster to be written again. Reader's thread only.
class AgentChunks {
  public:
    /// The memory outlives it.
    explicit AgentChunks(const AgentChannelMemory& memory);

    [[nodiscard]] agent::ChannelView view() const { return view_; }
    /// To the pool. Nobody writes or reads it any more.
    void giveBack(std::uint32_t number);
    /// Those that are not in the pool. What a faulty target writes there makes it another number, and nothing worse.
    [[nodiscard]] std::uint32_t inUse() const;

  private:
    const AgentChannelMemory& memory_;
    agent::ChannelView view_;
    std::uint32_t givenBack_ = 0; ///< in all, as the pool counts
};

} // namespace highwater::source
