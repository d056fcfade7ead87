#include "core/source/agent/agent_chunks_linux.h"

#include <algorithm>

namespace highwater::source {

namespace {

constexpr std::uint32_t kMostKept = (256u << 20) / agent::kChunkBytes;

} // namespace

AgentChunks::AgentChunks(const AgentChannelMemory& memory) : memory_(memory), view_(memory.view()) {}

void AgentChunks::giveBack(std::uint32_t number) {
    if (number >= kMostKept) memory_.emptyChunk(number);
    view_.returnChunk(number);
    ++givenBack_;
}

/// The pool's counter increases with each chunk that is taken and with each one that is returned.
std::uint32_t AgentChunks::inUse() const {
    const agent::ChannelHeader& pool = view_.header();
    const std::uint32_t fresh = std::min(pool.freshChunks.load(std::memory_order_relaxed), view_.chunkCount());
    const auto changes = static_cast<std::uint32_t>(pool.freeChunks.load(std::memory_order_relaxed) >> 32);
    const std::uint32_t inPool = 2 * givenBack_ - changes;
    return fresh - std::min(inPool, fresh);
}

} // namespace highwater::source
