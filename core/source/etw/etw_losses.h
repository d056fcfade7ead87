#pragma once

#include "core/event/trace_health.h"

#include <cstdint>

namespace highwater::source {

/// Events and buffers that a session has lost since its start.
struct EtwLosses {
    std::uint64_t events = 0;
    std::uint64_t buffers = 0;
};

/// Combines the loss counts of event tracing: markers in the stream, the session's counters, and the reader's counters.
/// None of the three is always complete (docs/etw.md 4.4), so the highest count is used. One per session, one thread.
class EtwLossCounter {
  public:
    /// Takes the current counts of one of the three. Counts only grow.
    void note(const EtwLosses& told);
    /// Adds new losses to the health and returns them. None of the sources is certain to know all losses.
    EtwLosses tell(TraceHealth& health);

  private:
    EtwLosses most_, reported_;
};

} // namespace highwater::source
