#pragma once

#include "core/event/process_events.h"
#include "core/store/published/rundown_zones.h"

#include <optional>

namespace highwater::store {

/// Finds the rundowns of a trace (docs/numbers.md 9). The records of one follow each other with pauses of at most
/// kLongestPause: what comes alone in the middle of a trace, as of a process that was attached to, is none of it.
/// Pipeline thread only.
class RundownWatch {
  public:
    static constexpr std::int64_t kLongestPauseNs = 1'000'000'000;

    /// A record of a rundown, RundownStart or RundownEnd.
    void note(Occasion occasion, TraceTime time);
    /// Of a trace that begins at time 0 and has come to `reached`.
    [[nodiscard]] RundownZones zones(TraceTime reached) const;

  private:
    TraceTime lastBegin_;
    std::optional<TimeRange> end_; ///< from the first to the last record of the present run
};

} // namespace highwater::store
