#pragma once

#include "core/source/agent/agent_ring_reader_linux.h"

#include <memory>
#include <vector>

namespace highwater::source {

/// Merges the events of many rings by tick. One thread.
class AgentMerge {
  public:
    /// Starts a pass in which `rings` may be read up to `untilTick`.
    void begin(const std::vector<std::unique_ptr<AgentRingReader>>& rings, std::uint64_t untilTick);
    /// The ring with the earliest event, and the tick up to which it may be read before another ring is next; null:
    /// none left.
    [[nodiscard]] AgentRingReader* next(std::uint64_t& limitTick);

  private:
    struct Head {
        std::uint64_t tick;
        AgentRingReader* ring;
        friend bool operator<(const Head& a, const Head& b) { return a.tick > b.tick; } // a min-heap by tick
    };
    void put(AgentRingReader& ring);

    std::vector<Head> heads_;
    AgentRingReader* current_ = nullptr;
    std::uint64_t untilTick_ = 0;
};

} // namespace highwater::source
