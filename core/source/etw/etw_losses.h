#pragma once

#include "core/event/trace_health.h"

#include <cstdint>

namespace highwater::source {

/// How many events and buffers a session has lost, from its start on.
struct EtwLosses {
    std::uint64_t events = 0;
    std::uint64_t buffers = 0;
};

/// Event tracing tells of the same losses in up to three places, none of which is always filled (docs/etw.md 4.4):
/// markers in the stream, the session's counters, and the reader's. What counts is the highest of them. One per
/// session, one thread.
class EtwLossCounter {
  public:
    /// What one of the places says now. They only grow.
    void note(const EtwLosses& told);
    /// Adds to the health what it has not been told yet, and returns that. No place is certain to know of all.
    EtwLosses tell(TraceHealth& health);

  private:
    EtwLosses most_, reported_;
};

} // namespace highwater::source
