#pragma once

#include "core/source/agent/agent_ring_reader_linux.h"

#include <memory>
#include <vector>

namespace highwater::source {

/// Takes events from the heads of many rings in the order of their ticks. One thread.
class AgentMerge {
  public:
    /// Begins a pass: `rings` may be read up to `untilTick`.
    void begin(const std::vector<std::unique_ptr<AgentRingReader>>& rings, std::uint64_t untilTick);
    /// The ring with the earliest head, and how far it may be read before another one comes first; null: none left.
    [[nodiscard]] AgentRingReader* next(std::uint64_t& limitTick);

  private:
    struct Head {
        std::uint64_t tick;
        AgentRingReader* ring;
        friend bool operator<(const Head& a, const Head& b) {
            return a.tick > b.tick;
        } // a heap with the earliest on top
    };
    void put(AgentRingReader& ring);

    std::vector<Head> heads_;
    AgentRingReader* current_ = nullptr;
    std::uint64_t untilTick_ = 0;
};

} // namespace highwater::source
